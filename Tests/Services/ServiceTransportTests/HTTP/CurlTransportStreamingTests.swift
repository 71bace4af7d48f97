import AIServiceTesting
import Foundation
import ServiceTestSupport
import Testing

/// Tests of bodies that arrive while they are read. The order is enforced by gates, not by time.
struct CurlTransportStreamingTests {
  @Test func `the first piece is read before the second is sent`() async throws {
    let exchange = try Exchange()
    let gates = (0..<3).map { _ in ReplyGate() }
    exchange.server.enqueue(
      .events([
        .send("data: one\n\n"), .wait(gates[0]), .send("data: two\n"), .wait(gates[1]),
        .send("\n"), .wait(gates[2]), .send("data: lost"),
      ]))
    let response = try await exchange.send()
    var events = response.body.serverSentEvents().makeAsyncIterator()
    #expect(try await events.next()?.data == "one")
    gates[0].open()
    try await gates[1].reached()
    gates[1].open()
    #expect(try await events.next()?.data == "two")
    gates[2].open()
    #expect(try await events.next() == nil)
  }

  @Test func `the head arrives before the body`() async throws {
    let exchange = try Exchange()
    let gate = ReplyGate()
    exchange.server.enqueue(.chunked([.wait(gate), .send("body")], headers: ["request-id": "r"]))
    let response = try await exchange.send()
    #expect(response.headers["Request-Id"] == "r")
    gate.open()
    #expect(try await response.body.collected() == Data("body".utf8))
  }

  @Test func `lines arrive one by one, the last without its end`() async throws {
    let exchange = try Exchange()
    let gate = ReplyGate()
    exchange.server.enqueue(
      .chunked([.send("{\"a\":1}\n\n{\"b\""), .wait(gate), .send(":2}\r\n{\"c\":3}")]))
    let response = try await exchange.send()
    var parser = LineParser()
    var lines: [String] = []
    for try await piece in response.body {
      parser.append(piece)
      while let line = try parser.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      if lines == [#"{"a":1}"#] { gate.open() }
    }
    #expect(lines == [#"{"a":1}"#, #"{"b":2}"#])
    let last = parser.finish()
    #expect(last == Data(#"{"c":3}"#.utf8))
  }

  @Test func `a paused reader pauses the server, and memory stays bounded`() async throws {
    let exchange = try Exchange()
    let piece = Data(repeating: 5, count: 1 << 20)
    let size = 64 << 20
    exchange.server.enqueue(
      ScriptedReply(
        raw: [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")]
          + Array(repeating: .bytes(piece), count: 64)))
    let other = try Exchange(transport: exchange.transport)
    other.server.reply { _ in .text("alive") }
    let response = try await exchange.send()
    var sent = -1
    var calls = 0
    // The system's buffers fill up; then this exchange stops while others proceed.
    while sent != exchange.server.bytesSent || calls < 500 {
      sent = exchange.server.bytesSent
      #expect(try await other.body() == "alive")
      calls += 1
    }
    #expect(sent < 24 << 20)
    var count = 0
    for try await piece in response.body { count += piece.count }
    #expect(count == size)
  }

  @Test func `the idle timeout is suspended while the body is not read`() async throws {
    let exchange = try Exchange()
    // More than may wait unread, and little enough that the system accepts all of it from the
    // server.
    let body = Data(repeating: 3, count: 200_000)
    exchange.server.enqueue(.fixed(body: body))
    let idle = Duration.milliseconds(200)
    let response = try await exchange.send(timeouts: .forTests { $0.idle = idle })
    try await exchange.server.wait { $0.bytesSent > body.count }
    exchange.server.reply { _ in .text("alive") }
    let end = ContinuousClock.now + idle * 3
    while end > .now { #expect(try await exchange.body() == "alive") }
    #expect(try await response.body.collected() == body)
  }

  @Test func `cancelling a reader closes the connection`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .chunked([.send("hello"), .stall]) }
    let response = try await exchange.send()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      for try await _ in response.body { start.finish() }
    }
    for await _ in started {}
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `cancelling while waiting for the head closes the connection`() async throws {
    let exchange = try Exchange()
    let gate = ReplyGate()
    exchange.server.reply { _ in ScriptedReply.text("late").delayed(until: gate) }
    let task = Task { try await exchange.send() }
    try await gate.reached()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `a cancelled task sends nothing`() async throws {
    let exchange = try Exchange()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await exchange.send()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(exchange.server.acceptedConnections == 0)
  }

  @Test func `releasing a response closes the connection`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .chunked([.send("hello"), .stall]) }
    func readFirst() async throws {
      for try await piece in try await exchange.send().body {
        #expect(piece == Data("hello".utf8))
        break
      }
    }
    try await readFirst()
    try await exchange.server.wait { $0.openConnections == 0 }
    _ = try await exchange.send()
    try await exchange.server.wait { $0.acceptedConnections == 2 && $0.openConnections == 0 }
  }

  @Test func `a child process does not inherit the connection`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .chunked([.send("hello"), .stall]) }
    let response = try await exchange.send()
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let inherited = links.compactMap { Int32($0) }.filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      return flags >= 0 && flags & FD_CLOEXEC == 0 && port(of: descriptor) == exchange.server.port
    }
    #expect(inherited.isEmpty)
    withExtendedLifetime(response) {}
  }

  /// The port that a socket is connected to.
  private func port(of descriptor: Int32) -> Int? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(descriptor, $0, &size) == 0
      }
    }
    return isConnected ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  @Test func `releasing the transport lets active requests finish`() async throws {
    let server = try LoopbackServer()
    let gate = ReplyGate()
    server.reply { _ in .chunked([.send("a"), .wait(gate), .send("b")]) }
    func respond() async throws -> HTTPResponse {
      try await CurlTransport(offline: OfflineMode()).send(
        HTTPRequest(.get, server.url(), timeouts: .forTests))
    }
    let response = try await respond()
    gate.open()
    #expect(try await response.body.collected() == Data("ab".utf8))
    try await server.wait { $0.openConnections == 0 }
  }

  @Test func `idle connections are closed`() async throws {
    let exchange = try Exchange(
      transport: CurlTransport(offline: OfflineMode(), connectionLifetime: .milliseconds(50)))
    exchange.server.reply { _ in .text("yes") }
    for number in 1...3 {
      #expect(try await exchange.body() == "yes")
      try await exchange.server.wait { $0.openConnections == 0 }
      #expect(exchange.server.acceptedConnections == number)
    }
  }

  @Test func `no request is lost while the thread ends`() async throws {
    let exchange = try Exchange(
      transport: CurlTransport(offline: OfflineMode(), connectionLifetime: .zero))
    exchange.server.reply { .text($0.path) }
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            let path = "/\(client)/\(number)"
            #expect((try? await exchange.body(.get, path)) == path)
          }
        }
      }
    }
  }
}

struct HTTPBodyTests {
  @Test func `a complete body is read like any other`() async throws {
    #expect(try await HTTPBody(Data("abc".utf8)).collected() == Data("abc".utf8))
    #expect(try await HTTPBody(Data("abc".utf8)).collected(upTo: 2) == Data("ab".utf8))
    #expect(try await HTTPBody(Data()).collected().isEmpty)
  }

  @Test func `an error is thrown once and ends the body`() async throws {
    var pieces = HTTPBody { throw HTTPFailure.truncated }.makeAsyncIterator()
    await #expect(throws: HTTPFailure.truncated) { try await pieces.next() }
    #expect(try await pieces.next() == nil)
  }

  @Test func `a cancelled reader throws instead of ending`() async {
    let reader = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await HTTPBody(Data("abc".utf8)).collected()
    }
    await #expect(throws: CancellationError.self) { try await reader.value }
  }
}
