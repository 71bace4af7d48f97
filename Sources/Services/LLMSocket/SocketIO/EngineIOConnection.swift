import AIServices
import Foundation
import SpeechConcurrency

/// An Engine.IO connection, which performs the actions of `EngineIOSession`.
actor EngineIOConnection {
  /// Servers in Python refuse a body with more packets.
  private static let batchLimit = 16

  private let configuration: LLMConfiguration
  private let http: any HTTPTransport
  private let sockets: any WebSocketTransport
  private let clock: any Clock<Duration>
  private let deliver: @Sendable (EngineIOPacket) async throws -> Void

  private var session: EngineIOSession
  private var handshake: EngineIOHandshake?
  private var socket: (any WebSocketConnection)?
  /// The packets that arrived with the handshake.
  private var early: [EngineIOPacket] = []
  /// The packets that wait to be posted, or for the end of the upgrade.
  private var outgoing: [EngineIOPacket] = []
  private var isSwitching = false
  private var busyLoops = 0
  private let outgoingChanged = ChangeSignal()
  private let loopEnded = ChangeSignal()
  private let heard = ChangeSignal()

  /// Creates a connection without opening it.
  ///
  /// - Parameter deliver: called with each message, one after another.
  init(
    _ configuration: LLMConfiguration, http: any HTTPTransport,
    sockets: any WebSocketTransport, clock: any Clock<Duration>,
    deliver: @escaping @Sendable (EngineIOPacket) async throws -> Void
  ) {
    self.configuration = configuration
    self.http = http
    self.sockets = sockets
    self.clock = clock
    self.deliver = deliver
    session = EngineIOSession(
      carrier: configuration.transports == .webSocket ? .webSocket : .polling)
  }

  /// Opens the connection and completes the handshake.
  ///
  /// - Parameter reached: called when the server has accepted the connection.
  func open(reached: @Sendable () -> Void) async throws {
    let packets: [EngineIOPacket]
    if session.carrier == .webSocket {
      let socket = try await openSocket()
      self.socket = socket
      reached()
      let first = try await within(
        LLMConfiguration.openTimeout, on: clock, orThrow: HTTPFailure.timedOut(.firstByte)
      ) { try await socket.receive() }
      guard let first else { throw WireError.connectionLost("the server closed it") }
      packets = [try EngineIOPacket(first)]
    } else {
      packets = try await poll()
      reached()
    }
    guard let opening = packets.first else {
      throw WireError.socketIO("the handshake is missing")
    }
    try await perform(session.receive(opening, over: session.carrier))
    early = Array(packets.dropFirst())
  }

  /// Serves the open connection until it ends.
  ///
  /// - Throws: the reason for the end.
  func serve() async throws {
    guard let handshake else { throw WireError.notConnected }
    for packet in early {
      try await perform(session.receive(packet, over: session.carrier))
    }
    early = []
    let isPolling = session.carrier == .polling
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.watchHeartbeat(handshake.silenceLimit) }
      if isPolling {
        busyLoops = 2
        group.addTask { try await self.pollLoop() }
        group.addTask { try await self.postLoop(handshake.maxPayload ?? 1_000_000) }
        if configuration.transports == .pollingWithUpgrade,
          handshake.upgrades.contains("websocket")
        {
          group.addTask { try await self.upgrade() }
        }
      } else {
        group.addTask { try await self.socketLoop() }
      }
      while try await group.next() != nil {}
    }
  }

  /// Sends packets without others in between.
  func send(_ packets: [EngineIOPacket]) async throws {
    if session.carrier == .webSocket, !isSwitching, let socket {
      try await socket.send(packets.map(\.webSocketMessage))
      return
    }
    guard handshake != nil else { throw WireError.notConnected }
    outgoing += packets
    outgoingChanged.notify()
    // Posting makes room, so a server that accepts no posts is not sent more.
    try await outgoingChanged.wait(until: {
      outgoing.count <= 64 || session.carrier == .webSocket
    })
  }

  /// Sends the packets and then closes. They are sent with the close packet, because the server may
  /// end the session before a separate post arrives.
  func close(saying packets: [EngineIOPacket]) async {
    if session.carrier == .webSocket {
      if !packets.isEmpty { try? await socket?.send(packets.map(\.webSocketMessage)) }
      await socket?.close()
    } else if handshake != nil {
      // Taken first, so that they are not posted twice.
      let last = outgoing + packets + [.close]
      outgoing = []
      _ = try? await post(last)
    }
    await drop()
  }

  /// Closes the connection immediately.
  func drop() async {
    await socket?.drop()
    socket = nil
  }

  // MARK: Loops

  private func watchHeartbeat(_ limit: Duration) async throws {
    var version = heard.version
    while true {
      let current = version
      try await within(limit, on: clock, orThrow: WireError.heartbeatLost) { [heard] in
        try await heard.wait(after: current)
      }
      version = heard.version
    }
  }

  private func socketLoop() async throws {
    guard let socket else { throw WireError.notConnected }
    while let message = try await socket.receive() {
      try await perform(session.receive(EngineIOPacket(message), over: .webSocket))
    }
    let close = socket.close ?? .withoutCode
    throw WireError.connectionLost("the server closed it with code \(close.code)")
  }

  private func pollLoop() async throws {
    while !isSwitching {
      for packet in try await poll() {
        try await perform(session.receive(packet, over: .polling))
      }
    }
    endLoop()
  }

  private func postLoop(_ limit: Int) async throws {
    while !isSwitching {
      try await outgoingChanged.wait(until: { !outgoing.isEmpty || isSwitching })
      if isSwitching { break }
      var count = 1
      var size = outgoing[0].text.utf8.count
      while count < min(outgoing.count, Self.batchLimit) {
        size += outgoing[count].text.utf8.count + 1
        guard size <= limit else { break }
        count += 1
      }
      let batch = Array(outgoing.prefix(count))
      outgoing.removeFirst(count)
      try await post(batch)
      outgoingChanged.notify()
    }
    endLoop()
  }

  private func endLoop() {
    busyLoops -= 1
    loopEnded.notify()
  }

  private func upgrade() async throws {
    // If no WebSocket can be opened, polling continues.
    guard let socket = try? await openSocket() else { return try Task.checkCancellation() }
    self.socket = socket
    try await perform(session.beginProbe())
    let answer = try? await within(
      LLMConfiguration.openTimeout, on: clock, orThrow: HTTPFailure.timedOut(.firstByte)
    ) { try await socket.receive() }
    if let message = answer {
      try await perform(session.receive(EngineIOPacket(message), over: .webSocket))
    }
    guard isSwitching else {
      session.endProbe()
      await drop()
      return try Task.checkCancellation()
    }
    try await loopEnded.wait(until: { busyLoops == 0 })
    try await perform(session.polled())
    try await socketLoop()
  }

  // MARK: Effects

  private func perform(_ actions: [EngineIOSession.Action]) async throws {
    for action in actions {
      switch action {
      case .send(let packet, .webSocket): try await socket?.send(packet.webSocketMessage)
      case .send(let packet, .polling):
        outgoing.append(packet)
        outgoingChanged.notify()
      case .opened(let handshake): self.handshake = handshake
      case .deliver(let packet): try await deliver(packet)
      case .heard: heard.notify()
      case .stopPolling:
        isSwitching = true
        outgoingChanged.notify()
      case .useWebSocket:
        // Packets sent meanwhile are appended to the waiting ones.
        while !outgoing.isEmpty {
          let batch = outgoing
          outgoing = []
          try await socket?.send(batch.map(\.webSocketMessage))
        }
        isSwitching = false
        outgoingChanged.notify()
      case .end: throw WireError.connectionLost("the server ended it")
      }
    }
  }

  private func openSocket() async throws -> any WebSocketConnection {
    let url = try configuration.socketIOAddress(
      transport: "websocket", sid: handshake?.sid, scheme: ("ws", "wss"))
    return try await sockets.open(configuration.socketRequest(url))
  }

  private func poll() async throws -> [EngineIOPacket] {
    let wait = (handshake?.silenceLimit ?? .zero) + LLMConfiguration.openTimeout
    let body = try await exchange(.get, body: nil, wait: wait)
    return try EngineIOPayload.decode(body)
  }

  private func post(_ packets: [EngineIOPacket]) async throws {
    _ = try await exchange(
      .post, body: EngineIOPayload.encode(packets), wait: LLMConfiguration.openTimeout)
  }

  private func exchange(
    _ method: HTTPRequest.Method, body: Data?, wait: Duration
  ) async throws -> Data {
    let url = try configuration.socketIOAddress(
      transport: "polling", sid: handshake?.sid, scheme: ("http", "https"))
    var headers = configuration.allHeaders
    if body != nil { headers["Content-Type"] = "text/plain;charset=UTF-8" }
    let response = try await http.send(
      HTTPRequest(
        method, url, headers: headers, body: body,
        timeouts: HTTPTimeouts(
          connect: LLMConfiguration.openTimeout, firstByte: wait, idle: wait, total: wait),
        // Attachments in base64 are a third larger.
        responseLimit: 2 * LLMConfiguration.messageLimit))
    guard response.status == 200 else { throw WireError.status(response.status) }
    return try await response.body.collected()
  }
}

extension LLMConfiguration {
  /// The address of the Socket.IO server for a transport.
  fileprivate func socketIOAddress(
    transport: String, sid: String?, scheme: (plain: String, secure: String)
  ) throws -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw HTTPFailure.invalidRequest("The address is not valid.")
    }
    switch parts.scheme?.lowercased() {
    case "ws", "http": parts.scheme = scheme.plain
    case "wss", "https": parts.scheme = scheme.secure
    default:
      throw HTTPFailure.invalidRequest(
        "The address of a Socket.IO server must begin with ws://, wss://, http:// or https://.")
    }
    let path = path ?? "/socket.io/"
    parts.path = path.hasPrefix("/") ? path : "/" + path
    var query = parts.queryItems ?? []
    query += [
      URLQueryItem(name: "EIO", value: "4"), URLQueryItem(name: "transport", value: transport),
    ]
    if let sid { query.append(URLQueryItem(name: "sid", value: sid)) }
    parts.queryItems = query
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Socket.IO server is not valid.")
    }
    return address
  }
}
