import AIServices
import Foundation
import SpeechConcurrency

/// The implementation of a Socket.IO client, which an active connection may retain.
actor SocketIOCore {
  struct ReplyKey: Hashable, Sendable {
    var namespace: String
    var id: Int
  }

  /// The events of the connection, in order.
  enum Signal: Sendable {
    case connected
    case event(SocketIOEvent)
    case reply(id: Int, SocketIOReply)
    case lost(String)
  }

  nonisolated let configuration: SocketIOConfiguration
  nonisolated let clock: any Clock<Duration>
  nonisolated let events = Broadcast<SocketIOEvent>()
  nonisolated let signals = Broadcast<Signal>()
  private let http: any HTTPTransport
  private let sockets: any WebSocketTransport

  private var session = SocketIOSession()
  private var assembler: SocketIOAssembler
  private var engine: EngineIOConnection?
  private let replies = PendingReplies<ReplyKey, SocketIOReply>()
  private let joins = PendingReplies<String, Void>()

  init(
    _ configuration: SocketIOConfiguration, http: any HTTPTransport,
    sockets: any WebSocketTransport, clock: any Clock<Duration>
  ) {
    self.configuration = configuration
    self.http = http
    self.sockets = sockets
    self.clock = clock
    assembler = SocketIOAssembler(
      attachmentLimit: configuration.attachmentLimit, sizeLimit: configuration.messageLimit)
    session.want(configuration.namespace)
  }

  /// Opens a connection and serves it until it ends.
  func attempt(_ progress: ConnectionKeeper.Progress) async throws {
    let engine = EngineIOConnection(configuration, http: http, sockets: sockets, clock: clock)
    do {
      try await engine.open { progress.reachedServer() }
      try await serve(engine, progress)
    } catch {
      await engine.drop()
      self.engine = nil
      session.disconnected()
      let lost = SocketIOError.connectionLost(ConnectionKeeper.text(of: error))
      replies.failAll(lost)
      joins.failAll(lost)
      signals.send(.lost(ConnectionKeeper.text(of: error)))
      throw error
    }
  }

  private func serve(
    _ engine: EngineIOConnection, _ progress: ConnectionKeeper.Progress
  ) async throws {
    assembler = SocketIOAssembler(
      attachmentLimit: configuration.attachmentLimit, sizeLimit: configuration.messageLimit)
    self.engine = engine
    // A namespace from which the server disconnected us is joined again with the next connection.
    session.want(configuration.namespace)
    let main = configuration.namespace
    joins.expect(main)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await engine.serve { try await self.receive($0, progress) }
      }
      for namespace in session.namespaces.keys {
        try await engine.send([.message(configuration.greeting(namespace).text)])
      }
      group.addTask { [configuration, clock, joins] in
        let late = SocketIOError.connectionLost("the server did not confirm the namespace in time")
        try await within(configuration.openTimeout, on: clock, orThrow: late) {
          try await joins.wait(for: main)
        }
        progress.connected()
      }
      while try await group.next() != nil {}
    }
  }

  private func receive(
    _ packet: EngineIOPacket, _ progress: ConnectionKeeper.Progress
  ) throws {
    let content: SocketIOContent? =
      switch packet {
      case .message(let text): try assembler.take(text)
      case .binary(let data): try assembler.take(data)
      default: nil
      }
    guard let content, let action = session.receive(content) else { return }
    switch action {
    case .joined(let namespace):
      joins.resolve(namespace, .success(()))
      if namespace == configuration.namespace { signals.send(.connected) }
    case .refused(let namespace, let error):
      if !joins.resolve(namespace, .failure(error)), namespace == configuration.namespace {
        throw error
      }
    case .left(let namespace):
      if namespace == configuration.namespace {
        throw SocketIOError.connectionLost("the server ended the namespace")
      }
    case .event(let event):
      progress.carried()
      events.send(event)
      signals.send(.event(event))
    case .reply(let namespace, let id, let reply):
      progress.carried()
      replies.resolve(ReplyKey(namespace: namespace, id: id), .success(reply))
      signals.send(.reply(id: id, reply))
    }
  }

  // MARK: For the user

  func join(_ namespace: String) async throws {
    guard let engine else { throw SocketIOError.notConnected }
    guard !session.isIn(namespace) else { return }
    session.want(namespace)
    joins.expect(namespace)
    do {
      try await engine.send([.message(configuration.greeting(namespace).text)])
      try await within(
        configuration.openTimeout, on: clock, orThrow: SocketIOError.acknowledgementTimedOut
      ) { [joins] in try await joins.wait(for: namespace) }
    } catch {
      joins.forget(namespace)
      if !session.isIn(namespace) { session.leave(namespace) }
      throw error
    }
  }

  func leave(_ namespace: String) async throws {
    guard session.isIn(namespace), let engine else { return }
    session.leave(namespace)
    try await engine.send([.message(SocketIOPacket(.disconnect, namespace: namespace).text)])
  }

  func emit(
    _ name: String, _ arguments: [SendableValue], attachments: [Data], namespace: String,
    id: Int? = nil
  ) async throws {
    try await send(
      SocketIOPacket(
        attachments.isEmpty ? .event : .binaryEvent, namespace: namespace, id: id,
        payload: .array([.string(name)] + arguments), attachmentCount: attachments.count),
      attachments)
  }

  func request(
    _ name: String, _ arguments: [SendableValue], attachments: [Data], namespace: String,
    timeout: Duration
  ) async throws -> SocketIOReply {
    let key = ReplyKey(namespace: namespace, id: session.nextID())
    replies.expect(key)
    defer { replies.forget(key) }
    try await emit(name, arguments, attachments: attachments, namespace: namespace, id: key.id)
    return try await within(timeout, on: clock, orThrow: SocketIOError.acknowledgementTimedOut) {
      [replies] in try await replies.wait(for: key)
    }
  }

  /// Sends an event whose acknowledgement is reported as a signal.
  ///
  /// - Parameter prepare: called with its number before it is sent.
  func emitForReply(
    _ name: String, _ arguments: [SendableValue], prepare: @Sendable (Int) -> Void
  ) async throws {
    let id = session.nextID()
    prepare(id)
    try await emit(
      name, arguments, attachments: [], namespace: configuration.namespace, id: id)
  }

  func acknowledge(
    _ event: SocketIOEvent, _ arguments: [SendableValue], attachments: [Data]
  ) async throws {
    guard let id = event.acknowledgementID else { return }
    try await send(
      SocketIOPacket(
        attachments.isEmpty ? .acknowledgement : .binaryAcknowledgement,
        namespace: event.namespace, id: id, payload: .array(arguments),
        attachmentCount: attachments.count), attachments)
  }

  /// Leaves the namespaces and closes the connection, if there is one.
  func farewell() async {
    guard let engine else { return }
    let left = session.namespaces.keys.filter { session.isIn($0) }.sorted()
    await engine.close(
      saying: left.map { .message(SocketIOPacket(.disconnect, namespace: $0).text) })
  }

  private func send(_ packet: SocketIOPacket, _ attachments: [Data]) async throws {
    guard let engine, session.isIn(packet.namespace) else { throw SocketIOError.notConnected }
    guard attachments.count <= configuration.attachmentLimit else {
      throw SocketIOError.malformed("more than \(configuration.attachmentLimit) attachments")
    }
    guard attachments.reduce(0, { $0 + $1.count }) <= configuration.messageLimit else {
      throw SocketIOError.tooLarge(limit: configuration.messageLimit)
    }
    try await engine.send([.message(packet.text)] + attachments.map { .binary($0) })
  }
}
