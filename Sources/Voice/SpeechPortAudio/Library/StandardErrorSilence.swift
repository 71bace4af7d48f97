import Foundation

/// Sends standard error into the void while something runs.
///
/// Only for libraries that cannot be asked to be quiet, and only as long as they need: it holds for the
/// whole process, so that what another thread reports meanwhile is lost, and a child started meanwhile
/// inherits the void.
enum StandardErrorSilence {
  /// Two at a time would put back each other's void.
  private static let turn = NSLock()

  /// Runs the body with standard error redirected, and puts it back. When descriptors have run out, the
  /// body runs all the same, with its messages.
  static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
    turn.lock()
    defer { turn.unlock() }
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0 else { return try body() }
    defer { close(kept) }
    let void = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard void >= 0 else { return try body() }
    let redirected = dup2(void, STDERR_FILENO) >= 0
    close(void)
    defer { if redirected { dup2(kept, STDERR_FILENO) } }
    return try body()
  }
}
