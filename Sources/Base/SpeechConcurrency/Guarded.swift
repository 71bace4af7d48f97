import Foundation

/// A value that is protected by a lock.
///
/// The same as `Mutex` of the Synchronization module, on top of a POSIX mutex: on Linux the thread
/// sanitizer cannot see into a contended `Mutex`, and reports the accesses that it protects as
/// races.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  // Unchecked because the value is only accessed with the lock held.
  private var value: Value
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: consuming sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs the body with the lock held. The body must not call this method on the same value.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
