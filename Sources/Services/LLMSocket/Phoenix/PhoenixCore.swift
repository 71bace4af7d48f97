import AIServices
import Foundation
import SpeechConcurrency

/// The implementation of a Phoenix client, which an active connection may retain.
actor PhoenixCore {
  /// The events of the connection, in order.
  enum Signal: Sendable {
    case connected
    case event(PhoenixEvent)
    case lost(String)
  }

  nonisolated let configuration: PhoenixConfiguration
  nonisolated let clock: any Clock<Duration>
  nonisolated let events = Broadcast<PhoenixEvent>()
  nonisolated let signals = Broadcast<Signal>()
  private let sockets: any WebSocketTransport
  private var session = PhoenixSession()
  private var socket: (any WebSocketConnection)?
  private let replies = PendingReplies<String, SendableValue>()
  private var rejoins: [String: Task<Void, Never>] = [:]
  /// The pending frames, so that they are sent in the order of their creation.
  private var outgoing: [PhoenixFrame] = []
  private var isSending = false

  init(
    _ configuration: PhoenixConfiguration, sockets: any WebSocketTransport,
    clock: any Clock<Duration>
  ) {
    self.configuration = configuration
    self.sockets = sockets
    self.clock = clock
  }

  /// Opens a connection and serves it until it ends.
  func attempt(_ progress: ConnectionKeeper.Progress) async throws {
    let socket = try await sockets.open(configuration.request())
    progress.reachedServer()
    self.socket = socket
    do {
      try await perform(session.connected())
      progress.connected()
      signals.send(.connected)
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await self.read(socket, progress) }
        group.addTask { try await self.beat() }
        _ = try await group.next()
      }
    } catch {
      self.socket = nil
      outgoing = []
      for rejoin in rejoins.values { rejoin.cancel() }
      rejoins = [:]
      let reason = ConnectionKeeper.text(of: error)
      try? await perform(session.disconnected(reason))
      signals.send(.lost(reason))
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
    throw PhoenixError.connectionLost("the server closed it with code \(close.code)")
  }

  private func beat() async throws {
    while true {
      try await clock.sleep(for: configuration.heartbeat)
      try await perform(session.heartbeat())
    }
  }

  // MARK: For the user

  func join(_ topic: String, _ parameters: SendableValue) async throws -> SendableValue {
    let actions = session.join(topic, parameters)
    var joinRef: String?
    for case .send(let frame) in actions where frame.event == "phx_join" { joinRef = frame.ref }
    guard let joinRef else {
      _ = session.leave(topic)
      throw PhoenixError.notConnected
    }
    do {
      return try await reply(joinRef, after: actions)
    } catch {
      // If the join failed, it must not be repeated later without the caller's knowledge.
      if !session.isJoined(topic) { try? await perform(session.leave(topic)) }
      throw error
    }
  }

  func leave(_ topic: String) async throws {
    rejoins.removeValue(forKey: topic)?.cancel()
    try await perform(session.leave(topic))
  }

  func push(_ topic: String, _ event: String, _ payload: SendableValue) async throws {
    try await perform(session.push(topic, event, payload, expectsReply: false).1)
  }

  func request(
    _ topic: String, _ event: String, _ payload: SendableValue
  ) async throws -> SendableValue {
    let (ref, actions) = try session.push(topic, event, payload, expectsReply: true)
    do {
      return try await reply(ref, after: actions)
    } catch {
      session.forget(ref, in: topic)
      throw error
    }
  }

  private func reply(
    _ ref: String, after actions: [PhoenixSession.Action]
  ) async throws -> SendableValue {
    replies.expect(ref)
    defer { replies.forget(ref) }
    try await perform(actions)
    return try await within(
      configuration.replyTimeout, on: clock, orThrow: PhoenixError.replyTimedOut
    ) { [replies] in try await replies.wait(for: ref) }
  }

  /// Leaves the topics and closes the connection, if there is one.
  func farewell() async {
    await socket?.close()
  }

  private func perform(_ actions: [PhoenixSession.Action]) async throws {
    var isDead = false
    for action in actions {
      switch action {
      case .send(let frame): outgoing.append(frame)
      case .reply(let ref, .ok(let response)): replies.resolve(ref, .success(response))
      case .reply(let ref, .failed(let error)): replies.resolve(ref, .failure(error))
      case .event(let event):
        events.send(event)
        signals.send(.event(event))
      case .rejoin(let topic, let delay): planRejoin(topic, after: delay)
      case .dead: isDead = true
      }
    }
    if isDead { throw PhoenixError.heartbeatLost }
    try await flush()
  }

  private func flush() async throws {
    // One task sends at a time; the others leave their frames to it.
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while !outgoing.isEmpty {
      let batch = outgoing
      outgoing = []
      guard let socket else { throw PhoenixError.notConnected }
      try await socket.send(batch.map { .text($0.text) })
    }
  }

  private func planRejoin(_ topic: String, after delay: Duration) {
    rejoins[topic]?.cancel()
    rejoins[topic] = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: delay)) != nil else { return }
      await self?.rejoin(topic)
    }
  }

  private func rejoin(_ topic: String) async {
    rejoins[topic] = nil
    // If that fails, the connection is lost, which its reader detects.
    try? await perform(session.rejoin(topic))
  }
}
