import SpeechConcurrency

/// One `Broadcast` per session of a source that starts and ends again and again.
///
/// A stream asked for during a session tells of that session and ends with it. Asked for after
/// `close(_:)` or between two sessions it waits for the next one; only if the last session went by without
/// any listener does it deliver what was kept of that one and end.
@MainActor
package final class SessionBroadcast<Element: Sendable> {
  private let make: @Sendable () -> Broadcast<Element>
  private var current: Broadcast<Element>
  /// Whether the current session is over but for what is still on its way, and had no listener.
  private var isClosing = false

  package init(keepsUnheard: @escaping @Sendable (Element) -> Bool = { _ in false }) {
    make = { Broadcast(keepsUnheard: keepsUnheard) }
    current = make()
  }

  package func stream() -> AsyncStream<Element> {
    defer { if current.isFinished || isClosing { renew() } }
    return current.stream()
  }

  /// The broadcast of a new session. Whoever begins it finishes it, with `end(_:)`.
  package func begin() -> Broadcast<Element> {
    if current.isFinished || isClosing { renew() }
    return current
  }

  /// Notes that nothing but what is on its way belongs to the session any more.
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
