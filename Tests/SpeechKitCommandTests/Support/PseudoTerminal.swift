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

  /// Waits until what is typed does not appear any more; the terminal tells nobody when that is.
  func waitForQuiet() async {
    while isEchoing, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(own, $0.baseAddress, $0.count) }
  }

  /// All that appeared.
  func shown() -> String {
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(own, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
