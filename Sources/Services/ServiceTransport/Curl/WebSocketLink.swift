import CCurl
import Foundation

/// The part of a connection that belongs to the serving thread: the socket and its partial frames.
final class WebSocketLink {
  private enum Stage {
    case connecting
    case handshake
    case open
    /// Our close frame has been or will be sent; the server's has not arrived.
    case closing
    /// The server's close frame has arrived, and the server closes the socket first.
    case hangingUp
  }

  /// The number of reads per turn, so that one busy connection does not delay the others.
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

  /// The socket events to wait for.
  var interests: [Int32: Int16] {
    guard let socket = connection.socket else { return connection.watchedSockets }
    let events = (isReading ? CURL_WAIT_POLLIN : 0) | (wantsWriting ? CURL_WAIT_POLLOUT : 0)
    // A socket without events is left out, because poll(2) always reports a hang-up.
    return events == 0 ? [:] : [socket: Int16(events)]
  }

  /// The time to continue even without an event.
  var wakeTime: ContinuousClock.Instant? {
    if hasMoreInput && isReading { return .now }
    switch stage {
    case .connecting: return min(deadline, connection.deadline ?? deadline)
    case .handshake, .closing, .hangingUp: return deadline
    case .open: return keepAliveDeadline
    }
  }

  /// Does all work that is possible now.
  ///
  /// - Parameters:
  ///   - ready: the sockets that have events, also those of other connections.
  ///   - buffer: memory for received bytes.
  /// - Returns: false when the connection is finished.
  func proceed(
    ready: [Int32: Int16], now: ContinuousClock.Instant, buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    do {
      return try step(ready: ready, now: now, buffer: buffer)
    } catch let violation as WebSocketProtocolError {
      return leave(violation, now: now)
    } catch {
      // When closing, it does not matter if the server was faster.
      channel.finish(stage == .closing ? .success(Self.unanswered) : .failure(error))
    }
    return false
  }

  /// Sends the server the reason for the failure. Closing the socket at once, with unread bytes,
  /// would reset the connection, and the server would not receive the reason.
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
    ready: [Int32: Int16], now: ContinuousClock.Instant, buffer: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    if channel.isAbandoned {
      if stage == .open {
        // A close frame whose answer is not awaited.
        output.putControl(.close, WebSocketClose(code: 1001).payload)
        try write()
      }
      channel.finish(.failure(CancellationError()))
      return false
    }
    if stage == .connecting {
      guard try connection.connect(ready: Set(ready.keys), now: now) else {
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
    let events = connection.socket.flatMap { ready[$0] } ?? 0
    if hasMoreInput || events & Int16(CURL_WAIT_POLLIN) != 0 {
      guard try read(into: buffer, now: now) else { return false }
    }
    try keepAlive(now: now)
    try write()
    isReading = wantsInput()
    return try checkDeadline(now: now)
  }

  /// True if input is accepted. During the handshake and while closing it always is.
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
      // The server does not answer our close frame.
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
    // TLS may hold bytes that the socket does not report.
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
    // Before anything else, because messages before the end must be there when the end is reported.
    // While closing, messages without room are dropped.
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
    // While closing, our frame answers theirs.
    if stage == .open {
      output.putControl(.close, close.payload)
      deadline = .now + channel.request.closeTimeout
    }
    stage = .hangingUp
    channel.finish(.success(close))
  }

  /// Handles the end of the stream.
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
    // While messages are not read, the server's silence is of our own making.
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
