import AIServices
import Foundation
import SpeechConcurrency

/// A connection over Phoenix channels (serializer version 2): each lane has its own topic, because
/// a channel processes requests one after another.
///
/// A channel that crashes on the server is joined again, with a delay; one that is closed is not.
actor PhoenixWire: LLMWire {
  private static let heartbeatInterval = Duration.seconds(30)

  nonisolated let signals: AsyncStream<LLMSignal>
  nonisolated let channelCount: Int?
  nonisolated let reconnection = ReconnectionPolicy.phoenix

  private let configuration: LLMConfiguration
  private let sockets: any WebSocketTransport
  private let clock: any Clock<Duration>
  private let out: AsyncStream<LLMSignal>.Continuation
  // Topics with this prefix are open to every client; each client needs its own.
  private var session = PhoenixSession(
    prefix: "task:swift_\(UUID().uuidString.lowercased())_")
  private var socket: (any WebSocketConnection)?
  private var timers: [String: Task<Void, Never>] = [:]
  /// The pending frames, so that they are sent in the order of their creation.
  private var outgoing: [PhoenixFrame] = []
  private var isSending = false

  init(
    _ configuration: LLMConfiguration, sockets: any WebSocketTransport, clock: any Clock<Duration>
  ) {
    self.configuration = configuration
    self.sockets = sockets
    self.clock = clock
    channelCount = configuration.channelCount
    (signals, out) = AsyncStream.makeStream()
  }

  func attempt(_ progress: ConnectionKeeper.Progress) async throws {
    let socket = try await sockets.open(configuration.phoenixRequest())
    progress.reachedServer()
    self.socket = socket
    session.connected()
    progress.connected()
    out.yield(.connected)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await self.read(socket, progress) }
        group.addTask { try await self.beat() }
        _ = try await group.next()
      }
    } catch {
      self.socket = nil
      outgoing = []
      for timer in timers.values { timer.cancel() }
      timers = [:]
      session.disconnected()
      out.yield(.disconnected(reason: ConnectionKeeper.text(of: error)))
      await socket.drop()
      throw error
    }
  }

  private func read(
    _ socket: any WebSocketConnection, _ progress: ConnectionKeeper.Progress
  ) async throws {
    while let message = try await socket.receive() {
      // Binary frames do not contain JSON and are not used here.
      guard case .text(let text) = message else { continue }
      let frame = try PhoenixFrame(text)
      if frame.topic != "phoenix" { progress.carried() }
      try await perform(session.receive(frame))
    }
    let close = socket.close ?? .withoutCode
    throw WireError.connectionLost("the server closed it with code \(close.code)")
  }

  private func beat() async throws {
    while true {
      try await clock.sleep(for: Self.heartbeatInterval)
      try await perform([session.heartbeat()])
    }
  }

  func farewell() async {
    await socket?.close()
  }

  func open(lane: Int) async {
    await performIfPossible(session.open(lane: lane))
  }

  func reset(lane: Int) async {
    await performIfPossible(session.close(lane: lane))
  }

  func send(_ payload: SendableValue, id: String, lane: Int) async throws {
    try await perform([session.push("llm_generate", payload, lane: lane)])
  }

  private func performIfPossible(_ actions: [PhoenixSession.Action]) async {
    // If that fails, the connection is lost, which its reader detects.
    try? await perform(actions)
  }

  private func perform(_ actions: [PhoenixSession.Action]) async throws {
    for action in actions {
      switch action {
      case .send(let frame): outgoing.append(frame)
      case .signal(let signal): out.yield(signal)
      case .wait(let topic, let delay): setTimer(of: topic, to: delay)
      }
    }
    // One task sends at a time; the others leave their frames to it.
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while !outgoing.isEmpty {
      let batch = outgoing
      outgoing = []
      guard let socket else { throw WireError.notConnected }
      try await socket.send(batch.map { .text($0.text) })
    }
  }

  private func setTimer(of topic: String, to delay: Duration?) {
    timers[topic]?.cancel()
    timers[topic] = delay.map { delay in
      Task { [weak self, clock] in
        guard (try? await clock.sleep(for: delay)) != nil else { return }
        await self?.proceed(topic)
      }
    }
  }

  private func proceed(_ topic: String) async {
    timers[topic] = nil
    await performIfPossible(session.proceed(topic))
  }
}
