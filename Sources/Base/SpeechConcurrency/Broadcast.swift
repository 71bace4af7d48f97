/// Sends each element to every listener, each with a stream of its own.
///
/// A listener receives all elements that are sent after it asked for its stream, however slowly it
/// reads them. Elements that are sent while there is no listener are kept for the next one if
/// `keepsUnheard` accepts them. After `finish()`, or when the broadcast is deinitialised, all
/// streams end.
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
    /// Elements that were sent and not delivered yet, oldest first.
    var deliveries: [Delivery] = []
    /// True while a thread is delivering.
    var isDelivering = false

    /// Adds a delivery, and returns true if the caller has to deliver.
    mutating func deliver(_ delivery: Delivery) -> Bool {
      deliveries.append(delivery)
      defer { isDelivering = true }
      return !isDelivering
    }
  }

  private let state = Guarded(State())
  private let keepsUnheard: @Sendable (Element) -> Bool
  private let unheardLimit: Int

  /// Creates a broadcast without listeners.
  ///
  /// - Parameters:
  ///   - unheardLimit: the number of elements that are kept while there is no listener; the oldest
  /// are dropped first.
  ///   - keepsUnheard: selects the elements that are kept while there is no listener.
  public init(
    unheardLimit: Int = 1_000,
    keepsUnheard: @escaping @Sendable (Element) -> Bool = { _ in false }
  ) {
    self.unheardLimit = unheardLimit
    self.keepsUnheard = keepsUnheard
  }

  deinit { finish() }

  /// True after `finish()` was called.
  public var isFinished: Bool { state.withLock(\.isFinished) }

  /// True once there has been a listener.
  public var hadListeners: Bool { state.withLock(\.hadListeners) }

  /// Returns a stream of the elements that are sent from now on, until `finish()`.
  public func stream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .unbounded)
    let key: Int? = state.withLock { state in
      state.hadListeners = true
      // No task can be waiting for these yet, so that yielding them under the lock wakes none.
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

  /// Sends an element to all listeners.
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

  /// Ends all streams after the elements that were sent before.
  public func finish() {
    let isToDeliver = state.withLock { state in
      state.isFinished = true
      guard !state.listeners.isEmpty else { return false }
      defer { state.listeners = [] }
      return state.deliver(.end(of: state.listeners))
    }
    if isToDeliver { deliver() }
  }

  /// Delivers all pending elements, including those that other threads send meanwhile, so that
  /// every listener receives them in the same order.
  ///
  /// Never under the lock: waking a listener waits for a thread that is cancelling the listener's
  /// task, and that thread may be in `forget(_:)`.
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
    // Released outside the lock, because elements left in its stream may run any code when they
    // are deinitialised.
    _ = state.withLock { state in
      state.listeners.firstIndex { $0.key == key }.map { state.listeners.remove(at: $0) }
    }
  }
}
