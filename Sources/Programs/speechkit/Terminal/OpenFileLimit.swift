import Foundation

/// How many files the program may open.
enum OpenFileLimit {
  /// What tasks, queues and signals take of them. Swift's runtime ends a process that cannot give it these,
  /// and does not say why.
  private static let least = 8

  /// Whether so many can be opened that errors can tell of the rest.
  static var isEnough: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < least {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno != EMFILE }
      opened.append(descriptor)
    }
    return true
  }

  /// Says that it is not, without anything that needs a file.
  static func complain() {
    var text = "speechkit: The program may open too few files. Raise the limit (`ulimit -n 64`).\n"
    text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
