/// Sends each element to every listener, each with a stream of its own.
///
/// A listener hears what is sent after it asked for its stream, and misses nothing from then on however
/// slow it is; one that leaves is forgotten. What is sent while nobody listens is kept for the first
/// listener to come, as far as `keepsUnheard` says so. After `finish()` all streams end, and so they do
/// when the broadcast is let go.
///
/// ```swift
/// let broadcast = Broadcast<Int>()
/// let numbers = broadcast.stream()
/// broadcast.send(1)
/// broadcast.finish()
/// for await number in numbers { … }   // 1
/// ```
public final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var nextListener = 0
    var unheard: [Element] = []
    var hadListeners = false
    var isFinished = false
  }

  private let state = Guarded(State())
  private let keepsUnheard: @Sendable (Element) -> Bool
  private let unheardLimit: Int

  /// A broadcast without listeners.
  ///
  /// - Parameters:
  ///   - unheardLimit: how many elements are kept while nobody listens; the oldest go first.
  ///   - keepsUnheard: which elements are kept while nobody listens.
  public init(
    unheardLimit: Int = 1_000,
    keepsUnheard: @escaping @Sendable (Element) -> Bool = { _ in false }
  ) {
    self.unheardLimit = unheardLimit
    self.keepsUnheard = keepsUnheard
  }

  deinit { finish() }

  /// Whether `finish()` has been called.
  public var isFinished: Bool { state.withLock(\.isFinished) }

  /// Whether anybody ever listened.
  public var hadListeners: Bool { state.withLock(\.hadListeners) }

  /// A stream of all that is sent from now on, until `finish()`.
  public func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .unbounded)
    let key: Int? = state.withLock { state in
      state.hadListeners = true
      for element in state.unheard { continuation.yield(element) }
      state.unheard = []
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    if let key {
      continuation.onTermination = { [weak self] _ in self?.forget(key) }
    } else {
      continuation.finish()
    }
    return stream
  }

  /// Sends the element to all who listen.
  public func send(_ element: Element) {
    // Elements are handed over under the lock, so that two senders' elements reach every listener in
    // one and the same order.
    state.withLock { state in
      guard !state.isFinished else { return }
      if state.listeners.isEmpty {
        guard unheardLimit > 0, keepsUnheard(element) else { return }
        if state.unheard.count == unheardLimit { state.unheard.removeFirst() }
        state.unheard.append(element)
      } else {
        for listener in state.listeners.values { listener.yield(element) }
      }
    }
  }

  /// Ends all streams once they have delivered what was sent.
  public func finish() {
    // Finishing calls `onTermination`, which takes the lock: hence outside.
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  private func forget(_ key: Int) {
    state.withLock { state in _ = state.listeners.removeValue(forKey: key) }
  }
}
