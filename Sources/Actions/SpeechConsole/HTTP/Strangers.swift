import SpeechConcurrency

/// The connections that have not shown the cookie of the console yet.
///
/// Any program of this machine can open them, and all of them come from the same address. So that
/// they cannot occupy all connections, the oldest is closed when there are too many: a browser that
/// connects later still has its turn, and a connection that has shown the cookie is never closed.
final class Strangers: Sendable {
  private let limit: Int
  /// The oldest first.
  private let waiting = Guarded<[RequestWatch]>([])

  init(limit: Int) { self.limit = max(1, limit) }

  /// Adds a new connection, and closes the oldest if there are too many.
  func add(_ watch: RequestWatch) {
    let excess = waiting.withLock { waiting -> [RequestWatch] in
      waiting.append(watch)
      let count = max(0, waiting.count - limit)
      defer { waiting.removeFirst(count) }
      return Array(waiting.prefix(count))
    }
    for watch in excess { watch.disconnect() }
  }

  /// Removes a connection that has shown the cookie, or that is closed.
  func remove(_ watch: RequestWatch) {
    waiting.withLock { $0.removeAll { $0 === watch } }
  }
}
