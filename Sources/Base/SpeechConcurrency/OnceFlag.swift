import Synchronization

/// A flag that can be raised once, from any thread.
package final class OnceFlag: Sendable {
  private let isRaised = Atomic(false)

  package init() {}

  /// True once it has been raised.
  package var isUp: Bool { isRaised.load(ordering: .acquiring) }

  /// Raises the flag, and returns true if this call was the first.
  package func raise() -> Bool {
    !isRaised.exchange(true, ordering: .acquiringAndReleasing)
  }
}
