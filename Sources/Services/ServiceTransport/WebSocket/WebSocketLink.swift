import Foundation

/// The side of a connection that the serving thread owns: the socket, and what is halfway through it.
final class WebSocketLink {
  private enum Stage {
    case connecting
    case handshake
    case open
    /// We have said, or are about to say, that it ends; the server has not.
    case closing
    /// The server has said that it ends, and has to hang up first.
    case hangingUp
  }

  /// Reading stops after that many pieces, so that one busy connection does not hold up the others.
  private static let turn = 16

  private static let unanswered = WebSocketClose(code: 1006)

  private let channel: WebSocketChannel
  private let connection: CurlConnection
  private var handshake: WebSocketHandshake
  private var parser: WebSocketParser
  private var output = WebSocketOutput()
  private var stage = Stage.connecting
  private var deadline: ContinuousClock.Instant
  private var failureAtDeadline = HTTPFailure.timedOut(.connect)
  private var lastHeard = ContinuousClock.now
  private var isPingUnanswered = false
  private var hasMoreInput = false
  private var wantsWriting = false
  private var isReading = true

  init(_ channel: WebSocketChannel) throws(HTTPFailure) {
    let request = channel.request
    self.channel = channel
    deadline = .now + request.openTimeout
    handshake = try WebSocketHandshake(request, address: channel.address)
    parser = WebSocketParser(messageLimit: request.messageLimit)
    connection = try CurlConnection(
      to: channel.address, timeout: request.openTimeout, certificateFile: request.certificateFile)
  }

  /// What to wait for.
  var interests: [pollfd] {
    guard let socket = connection.socket else {
      return connection.watchedSockets.map { pollfd(fd: $0, events: $1, revents: 0) }
    }
    let events = (isReading ? Int16(POLLIN) : 0) | (wantsWriting ? Int16(POLLOUT) : 0)
    // A socket without interests is left out, because poll(2) tells of a hang-up whether asked or not.
    return events == 0 ? [] : [pollfd(fd: socket, events: events, revents: 0)]
  }

  /// When to go on even if nothing happens.
  var wakeTime: ContinuousClock.Instant? {
    if hasMoreInput && isReading { return .now }
    switch stage {
    case .connecting: return min(deadline, connection.deadline ?? deadline)
    case .handshake, .closing, .hangingUp: return deadline
    case .open: return keepAliveDeadline
    }
  }

  /// Goes on with whatever can go on.
  ///
  /// - Parameters:
  ///   - ready: the sockets that something may have happened on.
  ///   - buffer: room for what is received.
  /// - Returns: whether there is anything left to do.
  func proceed(
    ready: [pollfd], now: ContinuousClock.Instant, buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    do {
      return try step(ready: ready.filter { $0.revents != 0 }, now: now, buffer: buffer)
    } catch let violation as WebSocketProtocolError {
      return leave(violation, now: now)
    } catch {
      // Who wants to hang up does not mind if the other one was faster.
      channel.finish(stage == .closing ? .success(Self.unanswered) : .failure(error))
    }
    return false
  }

  /// Tells the server what it did wrong. Hanging up at once, with bytes of it unread, would reset the
  /// connection, and the server would never hear it.
  private func leave(_ violation: WebSocketProtocolError, now: ContinuousClock.Instant) -> Bool {
    channel.finish(.failure(violation.failure))
    output.putControl(.close, violation.close.payload)
    stage = .hangingUp
    deadline = now + channel.request.closeTimeout
    do {
      try write()
    } catch {
      return false
    }
    return true
  }

  private func step(
    ready: [pollfd], now: ContinuousClock.Instant, buffer: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    if channel.isAbandoned {
      if stage == .open {
        // A farewell that nobody waits for.
        output.putControl(.close, WebSocketClose(code: 1001).payload)
        try write()
      }
      channel.finish(.failure(CancellationError()))
      return false
    }
    if stage == .connecting {
      guard try connection.connect(ready: ready.map(\.fd), now: now) else {
        if now >= deadline { throw failureAtDeadline }
        return true
      }
      stage = .handshake
      failureAtDeadline = .timedOut(.firstByte)
      try output.putHead(of: handshake)
    }
    if stage == .open, channel.isClosing {
      stage = .closing
      deadline = now + channel.request.closeTimeout
    }
    if hasMoreInput || ready.contains(where: { $0.revents & ~Int16(POLLOUT) != 0 }) {
      guard try read(into: buffer, now: now) else { return false }
    }
    try keepAlive(now: now)
    try write()
    isReading = wantsInput()
    return try checkDeadline(now: now)
  }

  /// Whether what comes is of interest. Before and after the time when messages are exchanged it always
  /// is: we wait for one thing.
  private func wantsInput() -> Bool { stage != .open || channel.mayRead() }

  private func checkDeadline(now: ContinuousClock.Instant) throws -> Bool {
    switch stage {
    case .open: return true
    case _ where now < deadline: return true
    case .connecting: throw failureAtDeadline
    case .handshake:
      if let refusal = handshake.refusalSoFar { throw refusal }
      throw failureAtDeadline
    case .closing, .hangingUp:
      // The server does not answer; we said that we go.
      channel.finish(.success(Self.unanswered))
      return false
    }
  }

  // MARK: Reading

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, now: ContinuousClock.Instant
  ) throws -> Bool {
    for _ in 0..<Self.turn where wantsInput() {
      switch try connection.receive(into: buffer) {
      case .wouldBlock:
        hasMoreInput = false
        return true
      case .end: return try end()
      case .bytes(let count):
        lastHeard = now
        isPingUnanswered = false
        guard try take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return false }
      }
    }
    // TLS may hold bytes that the socket knows nothing of.
    hasMoreInput = true
    return true
  }

  private func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    if stage == .handshake {
      guard let (answer, rest) = try handshake.consume(bytes) else { return true }
      return try rest.withUnsafeBytes { try begin(answer, rest: $0) }
    }
    var events: [WebSocketEvent] = []
    let result = Result { () throws(WebSocketProtocolError) in
      try parser.consume(bytes, into: &events)
    }
    // Before anything else, because what came before the end has to be there when the end is told. When
    // we are about to go, what finds no room is dropped.
    if stage == .open || channel.mayRead() {
      channel.deliver(events.compactMap { if case .message(let one) = $0 { one } else { nil } })
    }
    for event in events {
      switch event {
      case .message, .pong: break
      case .ping(let payload): output.putControl(.pong, payload)
      case .close(let close): agree(to: close)
      }
    }
    try result.get()
    return true
  }

  private func begin(
    _ answer: WebSocketHandshake.Answer, rest: UnsafeRawBufferPointer
  ) throws -> Bool {
    switch answer {
    case .refused(let refusal): throw refusal
    case .accepted(let subprotocol):
      stage = .open
      channel.opened(subprotocol: subprotocol)
      return rest.isEmpty ? true : try take(rest)
    }
  }

  private func agree(to close: WebSocketClose) {
    // While we are closing, ours answers theirs.
    if stage == .open {
      output.putControl(.close, close.payload)
      deadline = .now + channel.request.closeTimeout
    }
    stage = .hangingUp
    channel.finish(.success(close))
  }

  /// The server hung up.
  private func end() throws -> Bool {
    switch stage {
    case .hangingUp: return false
    case .handshake:
      guard let (answer, _) = try handshake.consume([], isEnd: true) else { return false }
      guard case .refused(let refusal) = answer else { return false }
      throw refusal
    default: throw HTTPFailure.interrupted("the server hung up", beforeResponse: false)
    }
  }

  // MARK: Writing

  private func write() throws {
    wantsWriting = false
    while true {
      if output.isEmpty { refill() }
      guard !output.isEmpty else { return }
      switch try connection.send(output.pending) {
      case .wouldBlock:
        wantsWriting = true
        return
      case .bytes(let count): output.drop(count)
      case .end: return
      }
    }
  }

  private func refill() {
    output.refill {
      guard stage == .open || stage == .closing else { return nil }
      if let frame = channel.takeFrame() { return frame }
      guard let close = channel.takeCloseRequest() else { return nil }
      return WebSocketFrame(opcode: .close, payload: close.payload)
        .encoded(mask: .random(in: .min ... .max))
    }
  }

  // MARK: Keeping alive

  private var keepAliveDeadline: ContinuousClock.Instant? {
    // While nobody reads, the server's silence is of our own making.
    guard let interval = channel.request.pingInterval, isReading else { return nil }
    return lastHeard + (isPingUnanswered ? interval + channel.request.pingTimeout : interval)
  }

  private func keepAlive(now: ContinuousClock.Instant) throws {
    guard stage == .open, let deadline = keepAliveDeadline, now >= deadline else { return }
    if isPingUnanswered { throw HTTPFailure.timedOut(.idle) }
    isPingUnanswered = true
    output.putControl(.ping, [])
  }
}
