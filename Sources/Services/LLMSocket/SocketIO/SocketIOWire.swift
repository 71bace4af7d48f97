import AIServices
import Foundation
import SpeechConcurrency

/// A connection over Socket.IO (revision 5, over Engine.IO revision 4), which is the only lane.
actor SocketIOWire: LLMWire {
  nonisolated let signals: AsyncStream<LLMSignal>
  nonisolated let channelCount: Int? = nil
  nonisolated let reconnection = ReconnectionPolicy.socketIO

  private let configuration: LLMConfiguration
  private let http: any HTTPTransport
  private let sockets: any WebSocketTransport
  private let clock: any Clock<Duration>
  private let out: AsyncStream<LLMSignal>.Continuation
  private var engine: EngineIOConnection?
  private var isJoined = false
  private let joined = ChangeSignal()
  private var lastID = 0
  /// The requests by the numbers of their events, which the server may acknowledge.
  private var requests: [Int: String] = [:]

  init(
    _ configuration: LLMConfiguration, http: any HTTPTransport,
    sockets: any WebSocketTransport, clock: any Clock<Duration>
  ) {
    self.configuration = configuration
    self.http = http
    self.sockets = sockets
    self.clock = clock
    (signals, out) = AsyncStream.makeStream()
  }

  func attempt(_ progress: ConnectionKeeper.Progress) async throws {
    let engine = EngineIOConnection(configuration, http: http, sockets: sockets, clock: clock) {
      try await self.receive($0, progress)
    }
    do {
      try await engine.open { progress.reachedServer() }
      self.engine = engine
      try await serve(engine)
    } catch {
      await engine.drop()
      self.engine = nil
      isJoined = false
      requests = [:]
      out.yield(.disconnected(reason: ConnectionKeeper.text(of: error)))
      throw error
    }
  }

  private func serve(_ engine: EngineIOConnection) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await engine.serve() }
      // The packet may contain the token.
      let token = configuration.token.map { ["token": SendableValue.string($0.value)] }
      let greeting = SocketIOPacket(.connect, payload: token.map { .dictionary($0) })
      try await engine.send([.message(greeting.text)])
      group.addTask { [clock] in
        let late = WireError.connectionLost("the server did not confirm the namespace in time")
        try await within(LLMConfiguration.openTimeout, on: clock, orThrow: late) {
          try await self.waitUntilJoined()
        }
      }
      while try await group.next() != nil {}
    }
  }

  private func waitUntilJoined() async throws {
    try await joined.wait(until: { isJoined })
  }

  private func receive(
    _ packet: EngineIOPacket, _ progress: ConnectionKeeper.Progress
  ) throws {
    // Attachments are not used here.
    guard case .message(let text) = packet else { return }
    let packet = try SocketIOPacket(text)
    guard packet.namespace == SocketIOPacket.mainNamespace else { return }
    switch packet.kind {
    case .connect:
      isJoined = true
      joined.notify()
      progress.connected()
      out.yield(.connected)
      out.yield(.laneReady(0))
    case .connectError:
      let message =
        packet.payload?.stringValue ?? packet.payload?.dictionaryValue?["message"]?.stringValue
      throw WireError.refused(message ?? "without a reason")
    case .disconnect: throw WireError.connectionLost("the server ended the namespace")
    case .event, .binaryEvent:
      guard isJoined else { return }
      progress.carried()
      guard packet.eventName == "llm_response", let body = packet.arguments.first else { return }
      out.yield(.answer(body, lane: 0, acknowledging: nil))
    case .acknowledgement, .binaryAcknowledgement:
      guard isJoined else { return }
      progress.carried()
      guard let id = packet.id.flatMap({ requests.removeValue(forKey: $0) }),
        let body = packet.arguments.first
      else { return }
      out.yield(.answer(body, lane: 0, acknowledging: id))
    }
  }

  func farewell() async {
    await engine?.close(saying: isJoined ? [.message(SocketIOPacket(.disconnect).text)] : [])
  }

  // The lane is ready as soon as the connection is, and ends with it.
  func open(lane: Int) {}
  func reset(lane: Int) {}

  func send(_ payload: SendableValue, id: String, lane: Int) async throws {
    guard let engine, isJoined else { throw WireError.notConnected }
    // Numbers are not reused, even after a reconnection.
    lastID += 1
    requests[lastID] = id
    let packet = SocketIOPacket(.event, id: lastID, payload: ["llm_generate", payload])
    try await engine.send([.message(packet.text)])
  }
}
