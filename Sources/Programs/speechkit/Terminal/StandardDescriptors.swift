import Foundation

/// Standard input, standard output and standard error.
enum StandardDescriptors {
  /// Opens those that the program was started without.
  ///
  /// Comes before anything else, as the next file or pipe that is opened takes the lowest number that is
  /// free, and would be written to as if it were standard output. Standard input is then empty; all are
  /// opened for reading only, so that writing a result fails and is told, where it would otherwise be lost.
  static func openClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
