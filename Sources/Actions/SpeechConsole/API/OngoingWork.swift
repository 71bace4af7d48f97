import SpeechConcurrency

/// Work that the page has started and may stop.
///
/// A page that has left is noticed too, but only at the next write.
final class OngoingWork: Sendable {
  private let stops = Guarded<[String: @Sendable () -> Void]>([:])

  /// Registers work, and returns the identifier by which it can be stopped.
  func begin(_ stop: @escaping @Sendable () -> Void) -> String {
    let id = Secret.make()
    stops.withLock { $0[id] = stop }
    return id
  }

  func end(_ id: String) {
    // Released outside of the lock.
    _ = stops.withLock { $0.removeValue(forKey: id) }
  }

  func stop(_ id: String) {
    let stop = stops.withLock { $0.removeValue(forKey: id) }
    stop?()
  }
}
