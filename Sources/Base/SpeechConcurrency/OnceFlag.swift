import Synchronization

/// A flag that can be raised once, from anywhere.
package final class OnceFlag: Sendable {
  private let isRaised = Atomic(false)

  package init() {}

  /// Whether it has been raised.
  package var isUp: Bool { isRaised.load(ordering: .acquiring) }

  /// Whether this call was the one that raised it.
  package func raise() -> Bool {
    !isRaised.exchange(true, ordering: .acquiringAndReleasing)
  }
}
