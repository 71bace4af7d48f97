import Foundation

package enum StandardDescriptors {
  /// Opens those that were closed when the program started.
  ///
  /// Call it first: the next file or pipe that is opened takes the lowest free number, and would be
  /// written to as if it were standard output. Standard input is then empty. All are opened for
  /// reading only, so that writing a result fails with an error instead of being lost.
  package static func openClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
