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
  private struct Listener {
    var key: Int
    var continuation: AsyncStream<Element>.Continuation
  }

  private enum Delivery {
    case element(Element, to: [Listener])
    case end(of: [Listener])
  }

  private struct State {
    var listeners: [Listener] = []
    var nextKey = 0
    var unheard: [Element] = []
    var hadListeners = false
    var isFinished = false
    /// What was sent and not handed over yet, oldest first.
    var deliveries: [Delivery] = []
    /// Whether somebody is handing over.
    var isDelivering = false

    /// Says whether the caller is to hand over.
    mutating func deliver(_ delivery: Delivery) -> Bool {
      deliveries.append(delivery)
      defer { isDelivering = true }
      return !isDelivering
    }
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
      // Nobody can be waiting for these yet, so handing them over under the lock wakes nobody.
      for element in state.unheard { continuation.yield(element) }
      state.unheard = []
      guard !state.isFinished else { return nil }
      state.nextKey += 1
      state.listeners.append(Listener(key: state.nextKey, continuation: continuation))
      return state.nextKey
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
    let isToDeliver = state.withLock { state in
      guard !state.isFinished else { return false }
      if state.listeners.isEmpty {
        guard unheardLimit > 0, keepsUnheard(element) else { return false }
        if state.unheard.count == unheardLimit { state.unheard.removeFirst() }
        state.unheard.append(element)
        return false
      }
      return state.deliver(.element(element, to: state.listeners))
    }
    if isToDeliver { deliver() }
  }

  /// Ends all streams once they have delivered what was sent.
  public func finish() {
    let isToDeliver = state.withLock { state in
      state.isFinished = true
      guard !state.listeners.isEmpty else { return false }
      defer { state.listeners = [] }
      return state.deliver(.end(of: state.listeners))
    }
    if isToDeliver { deliver() }
  }

  /// Hands over what was sent, also by others meanwhile, so that all listeners hear it in one order.
  ///
  /// Never under the lock: waking a listener waits for whoever is just cancelling its task, and that one may
  /// be in `forget(_:)`.
  private func deliver() {
    while true {
      let deliveries = state.withLock { state in
        defer { state.deliveries = [] }
        state.isDelivering = !state.deliveries.isEmpty
        return state.deliveries
      }
      guard !deliveries.isEmpty else { return }
      for delivery in deliveries {
        switch delivery {
        case .element(let element, let listeners):
          for listener in listeners { listener.continuation.yield(element) }
        case .end(let listeners):
          for listener in listeners { listener.continuation.finish() }
        }
      }
    }
  }

  private func forget(_ key: Int) {
    // Let go outside: what is still in its stream may be anything.
    _ = state.withLock { state in
      state.listeners.firstIndex { $0.key == key }.map { state.listeners.remove(at: $0) }
    }
  }
}
