import Foundation
import Testing

/// A terminal of the test's own, with the test as the person before it.
final class PseudoTerminal: Sendable {
  private let own: Int32
  /// The end for the program.
  let other: FileHandle

  init() throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(own >= 0)
    // Swift sees neither unlockpt and ptsname nor the names of what they ask: TIOCSPTLCK and TIOCGPTN.
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

  /// Whether what is typed appears.
  var isEchoing: Bool {
    var settings = termios()
    return tcgetattr(own, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(own, $0.baseAddress, $0.count) }
    // Who asks whether there is something to read makes the terminal take in first what was typed.
    var wish = pollfd(fd: other.fileDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&wish, 1, 0)
  }

  /// What a program would read that comes next.
  func left() -> String {
    let descriptor = other.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    type("\n")
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// All that appeared.
  func shown() -> String {
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(own, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
