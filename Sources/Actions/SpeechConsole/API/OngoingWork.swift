import SpeechConcurrency

/// What the page has begun and may stop.
///
/// A reader that leaves is noticed as well, but only when something is written to it.
final class OngoingWork: Sendable {
  private let stops = Guarded<[String: @Sendable () -> Void]>([:])

  /// Begins something.
  ///
  /// - Returns: what it is to be called when it is to stop.
  func begin(_ stop: @escaping @Sendable () -> Void) -> String {
    let id = Secret.make()
    stops.withLock { $0[id] = stop }
    return id
  }

  /// It has ended.
  func end(_ id: String) {
    // Let go outside of the lock.
    _ = stops.withLock { $0.removeValue(forKey: id) }
  }

  /// Stops it, if it has not ended.
  func stop(_ id: String) {
    let stop = stops.withLock { $0.removeValue(forKey: id) }
    stop?()
  }
}
