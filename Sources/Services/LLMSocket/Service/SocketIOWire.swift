import AIServices
import SpeechConcurrency

/// A connection over Socket.IO, which is the only lane.
final class SocketIOWire: LLMWire {
  let signals: AsyncStream<LLMSignal>
  let laneCount = 1
  let isOneAtATime = false

  private let client: SocketIOClient
  private let out: AsyncStream<LLMSignal>.Continuation
  private let acknowledgements: Guarded<[Int: String]>
  private let listener: Task<Void, Never>

  init(_ client: SocketIOClient) {
    self.client = client
    let (signals, out) = AsyncStream.makeStream(of: LLMSignal.self, bufferingPolicy: .unbounded)
    (self.signals, self.out) = (signals, out)
    let acknowledgements = Guarded<[Int: String]>([:])
    self.acknowledgements = acknowledgements
    let happenings = client.core.signals.stream()
    listener = Task {
      for await happening in happenings {
        switch happening {
        case .connected:
          out.yield(.connected)
          out.yield(.laneReady(0))
        case .lost(let reason):
          acknowledgements.withLock { $0 = [:] }
          out.yield(.disconnected(reason: reason))
        case .event(let event) where event.name == "llm_response":
          if let body = event.arguments.first {
            out.yield(.answer(body, lane: 0, acknowledging: nil))
          }
        case .reply(let number, let reply):
          if let id = acknowledgements.withLock({ $0.removeValue(forKey: number) }),
            let body = reply.arguments.first
          {
            out.yield(.answer(body, lane: 0, acknowledging: id))
          }
        case .event: break
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

  /// The lane is ready as soon as the connection is.
  func open(lane: Int) async {}

  func reset(lane: Int) async {
    await client.disconnect()
    client.start()
  }

  func send(_ payload: SendableValue, id: String, lane: Int) async throws {
    try await client.core.emitForReply("llm_generate", [payload]) { [acknowledgements] number in
      acknowledgements.withLock { $0[number] = id }
    }
  }
}
