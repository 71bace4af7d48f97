import SpeechConcurrency

/// A `Broadcast` for each session of a source that starts and ends repeatedly.
///
/// A stream that is requested during a session delivers that session and ends with it. Requested
/// after `close(_:)` or between two sessions, it waits for the next one. Only if the last session
/// had no listener does it deliver the kept elements of that session and end.
@MainActor
package final class SessionBroadcast<Element: Sendable> {
  private let make: @Sendable () -> Broadcast<Element>
  private var current: Broadcast<Element>
  /// True if the current session had no listener and has ended except for pending elements.
  private var isClosing = false

  package init(keepsUnheard: @escaping @Sendable (Element) -> Bool = { _ in false }) {
    make = { Broadcast(keepsUnheard: keepsUnheard) }
    current = make()
  }

  package func stream() -> AsyncStream<Element> {
    defer { if current.isFinished || isClosing { renew() } }
    return current.stream()
  }

  /// The broadcast of a new session. The caller finishes it with `end(_:)`.
  package func begin() -> Broadcast<Element> {
    if current.isFinished || isClosing { renew() }
    return current
  }

  /// Marks that only pending elements still belong to the session.
  package func close(_ session: Broadcast<Element>) {
    guard session === current else { return }
    if session.hadListeners { renew() } else { isClosing = true }
  }

  package func end(_ session: Broadcast<Element>) {
    session.finish()
    if session === current, session.hadListeners { renew() }
  }

  private func renew() {
    current = make()
    isClosing = false
  }
}
