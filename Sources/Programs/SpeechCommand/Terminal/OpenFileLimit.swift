import Foundation

package enum OpenFileLimit {
  /// The number of files that tasks, queues and signals need. Without them Swift's runtime ends the
  /// process with no explanation.
  private static let least = 16

  /// True if enough files can be opened for the program to report further errors itself.
  package static var isEnough: Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < least {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno != EMFILE }
      opened.append(descriptor)
    }
    return true
  }

  /// Reports that the limit is too low, without opening a file.
  package static func complain() {
    var text = "speechkit: The limit on open files is too low. Raise the limit (`ulimit -n 64`).\n"
    text.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
