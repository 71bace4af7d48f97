import Foundation
import Testing

/// A terminal in which the test takes the part of the user.
final class PseudoTerminal: Sendable {
  private let own: Int32
  /// The program's end of the terminal.
  let other: FileHandle

  init() throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(own >= 0)
    // Swift imports neither unlockpt and ptsname nor the names of their requests: TIOCSPTLCK and
    // TIOCGPTN.
    var isLocked: Int32 = 0
    try #require(ioctl(own, 0x4004_5431, &isLocked) == 0)
    var number: UInt32 = 0
    try #require(ioctl(own, 0x8004_5430, &number) == 0)
    let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
    other = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    close(own)
  }

  /// True if the terminal shows what is typed.
  var isEchoing: Bool {
    var settings = termios()
    return tcgetattr(own, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(own, $0.baseAddress, $0.count) }
    // Polling makes the terminal process what was typed.
    var wish = pollfd(fd: other.fileDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&wish, 1, 0)
  }

  /// The input that a program would read next.
  func left() -> String {
    let descriptor = other.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    type("\n")
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Everything that the terminal has shown.
  func shown() -> String {
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(own, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
