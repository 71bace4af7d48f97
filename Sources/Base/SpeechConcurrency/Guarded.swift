import Foundation

/// A value behind a lock.
///
/// What `Mutex` of the Synchronization module is, over a POSIX mutex: on Linux the thread sanitizer does
/// not see into `Mutex` when threads contend for it, and takes the accesses that it protects for races.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  // Unchecked because the value is only touched with the lock held.
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

  /// Runs the body with the lock held. Not to be called from within the body.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
