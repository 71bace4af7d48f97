import AIServices
import Foundation
import SpeechConcurrency

/// A connection over Phoenix channels: each lane has its own topic, because a channel processes
/// requests one after another.
final class PhoenixWire: LLMWire {
  private struct Lanes {
    var topics: [Int: String] = [:]
    var count = 0
  }

  let signals: AsyncStream<LLMSignal>
  let laneCount: Int
  let isOneAtATime = true

  private let client: PhoenixClient
  private let prefix: String
  private let lanes: Guarded<Lanes>
  private let out: AsyncStream<LLMSignal>.Continuation
  private let listener: Task<Void, Never>

  /// Creates a connection.
  ///
  /// - Parameter prefix: the prefix of the topics, followed by a number.
  init(_ client: PhoenixClient, laneCount: Int, prefix: String) {
    self.client = client
    self.laneCount = laneCount
    self.prefix = prefix
    let (signals, out) = AsyncStream.makeStream(of: LLMSignal.self, bufferingPolicy: .unbounded)
    (self.signals, self.out) = (signals, out)
    let lanes = Guarded(Lanes())
    self.lanes = lanes
    let happenings = client.core.signals.stream()
    listener = Task { [weak client] in
      for await happening in happenings {
        switch happening {
        case .connected: out.yield(.connected)
        case .event(let event): Self.hear(event, lanes, out)
        case .lost(let reason):
          // The lanes of the next connection use new topics.
          let topics = lanes.withLock { lanes in
            defer { lanes.topics = [:] }
            return lanes.topics.values.sorted()
          }
          for topic in topics { try? await client?.leave(topic) }
          out.yield(.disconnected(reason: reason))
        }
      }
      out.finish()
    }
  }

  deinit {
    listener.cancel()
    out.finish()
  }

  var state: SocketState { client.state }
  var states: AsyncStream<SocketState> { client.states }
  var finalError: (any Error)? { client.finalError }

  func start() { client.start() }
  func connect() async throws { try await client.connect() }
  func stop() async { await client.disconnect() }

  func open(lane: Int) async {
    let topic = lanes.withLock { lanes in
      lanes.count += 1
      lanes.topics[lane] = "\(prefix)\(lanes.count)"
      return "\(prefix)\(lanes.count)"
    }
    do {
      // The event reports the join.
      try await client.join(topic)
    } catch {
      let isCurrent = lanes.withLock { lanes in
        guard lanes.topics[lane] == topic else { return false }
        lanes.topics[lane] = nil
        return true
      }
      // Not reported twice if an event has already done so.
      guard isCurrent || Self.isRefusal(error) else { return }
      out.yield(
        Self.isRefusal(error)
          ? .laneRefused(lane, error)
          : .laneLost(lane, reason: ConnectionKeeper.text(of: error), returns: false))
    }
  }

  func reset(lane: Int) async {
    guard let topic = lanes.withLock({ $0.topics.removeValue(forKey: lane) }) else { return }
    try? await client.leave(topic)
  }

  func send(_ payload: SendableValue, id: String, lane: Int) async throws {
    guard let topic = lanes.withLock({ $0.topics[lane] }) else { throw PhoenixError.notConnected }
    try await client.push(topic, "llm_generate", payload)
  }

  private static func hear(
    _ event: PhoenixEvent, _ lanes: Guarded<Lanes>, _ out: AsyncStream<LLMSignal>.Continuation
  ) {
    let topic =
      switch event {
      case .message(let topic, _, _), .joined(let topic), .lost(let topic, _, _): topic
      }
    guard let lane = lanes.withLock({ $0.topics.first { $0.value == topic }?.key }) else { return }
    switch event {
    case .joined: out.yield(.laneReady(lane))
    case .lost(_, let reason, let isFinal):
      if isFinal { lanes.withLock { $0.topics[lane] = nil } }
      out.yield(.laneLost(lane, reason: reason, returns: !isFinal))
    case .message(_, "llm_response", let body):
      out.yield(.answer(body, lane: lane, acknowledging: nil))
    case .message: break
    }
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    if case PhoenixError.refused = error { true } else { false }
  }
}
