import AIServiceTesting
import Foundation
import ServiceTestSupport
import Testing

/// Tests of failures of servers and networks, each with its expected error.
struct CurlTransportFaultTests {
  private static let soon = Duration.milliseconds(200)

  @Test func `no server listens`() async throws {
    // Bound but not listening, so that no other process gets the port.
    let port = try BoundPort()
    let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
    let failure = await failure {
      _ = try await CurlTransport(offline: OfflineMode()).send(
        HTTPRequest(.get, url, timeouts: .forTests))
    }
    guard case .unreachable = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test(arguments: [ScriptedReply.closed, .reset])
  func `the connection breaks before the first byte`(_ reply: ScriptedReply) async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in reply }
    let failure = await failure { _ = try await exchange.send() }
    guard case .interrupted(_, beforeResponse: true) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `the head ends early`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in ScriptedReply.text("hello").cut(after: 20) }
    let failure = await failure { _ = try await exchange.send() }
    #expect(failure != nil)
  }

  @Test(arguments: [
    ScriptedReply.text("hello, world").cut(after: 73),
    ScriptedReply.chunked([.send("hello"), .close]),
    ScriptedReply.chunked([.send("hello, world")]).cut(after: 52),
  ])
  func `the body ends early: received data is kept, and the end is an error`(
    _ reply: ScriptedReply
  ) async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in reply }
    let response = try await exchange.send()
    var text = Data()
    let failure = await failure { for try await piece in response.body { text += piece } }
    #expect(failure == .truncated)
    #expect(!text.isEmpty && Data("hello, world".utf8).starts(with: text))
  }

  @Test func `the connection is reset in the middle of the body`() async throws {
    let exchange = try Exchange()
    let gate = ReplyGate()
    exchange.server.reply { _ in .chunked([.send("hello"), .wait(gate), .reset]) }
    let response = try await exchange.send()
    var pieces = response.body.makeAsyncIterator()
    #expect(try await pieces.next() == Data("hello".utf8))
    gate.open()
    let failure = await failure { _ = try await pieces.next() }
    guard case .interrupted(_, beforeResponse: false) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(try await pieces.next() == nil)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
    "HTTP/1.1 200 OK\r\nBig: \(String(repeating: "x", count: 400_000))\r\n\r\n",
    "HTTP/1.1 200 OK\r\n"
      + String(repeating: "Many: \(String(repeating: "x", count: 90))\r\n", count: 4_000) + "\r\n",
    String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000),
  ])
  func `an invalid response is malformed`(_ text: String) async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in ScriptedReply(raw: [.send(text), .close]) }
    let failure = await failure { _ = try await exchange.body() }
    guard case .malformed = failure else {
      Issue.record("\(String(describing: failure)) for \(text.prefix(40))")
      return
    }
  }

  @Test func `a body beyond the limit ends there`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .chunked([.endless(Data(repeating: 1, count: 10_000))]) }
    let response = try await exchange.send(responseLimit: 1_000_000)
    var count = 0
    let failure = await failure { for try await piece in response.body { count += piece.count } }
    #expect(failure == .tooLarge(limit: 1_000_000))
    #expect(count <= 1_000_000)
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `a body exactly at the limit is accepted`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .fixed(body: Data(repeating: 1, count: 100_000)) }
    let response = try await exchange.send(responseLimit: 100_000)
    #expect(try await response.body.collected().count == 100_000)
  }

  @Test func `a server that never answers`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .silent }
    let timeouts = HTTPTimeouts.forTests { $0.firstByte = Self.soon }
    let failure = await failure { _ = try await exchange.send(timeouts: timeouts) }
    #expect(failure == .timedOut(.firstByte))
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `a server that stops in the middle`() async throws {
    let exchange = try Exchange()
    exchange.server.reply { _ in .chunked([.send("hello"), .stall]) }
    let response = try await exchange.send(timeouts: .forTests { $0.idle = Self.soon })
    var pieces = response.body.makeAsyncIterator()
    #expect(try await pieces.next() == Data("hello".utf8))
    #expect(await failure { _ = try await pieces.next() } == .timedOut(.idle))
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `a server that sends slowly forever`() async throws {
    let exchange = try Exchange()
    let drops = Data(repeating: UInt8(ascii: "."), count: 10_000)
    exchange.server.reply { _ in .chunked([.drip(drops, every: .milliseconds(20))]) }
    let timeouts = HTTPTimeouts.forTests { $0.total = .milliseconds(500) }
    let failure = await failure { _ = try await exchange.body(timeouts: timeouts) }
    #expect(failure == .timedOut(.total))
    try await exchange.server.wait { $0.openConnections == 0 }
  }

  @Test func `a host that does not accept the connection`() async throws {
    // The backlog is full, so further connections get no answer.
    let full = try BoundPort(backlogFilled: true)
    let url = try #require(URL(string: "http://127.0.0.1:\(full.number)/"))
    let failure = await failure {
      _ = try await CurlTransport(offline: OfflineMode()).send(
        HTTPRequest(.get, url, timeouts: .forTests { $0.connect = Self.soon }))
    }
    #expect(failure == .timedOut(.connect))
  }

  @Test func `queueing counts towards the total timeout`() async throws {
    let exchange = try Exchange(
      transport: CurlTransport(offline: OfflineMode(), transfersAtOnce: 1))
    let gate = ReplyGate()
    exchange.server.reply(to: "/slow") { _ in ScriptedReply.text("slow").delayed(until: gate) }
    async let slow = exchange.body(.get, "/slow")
    try await gate.reached()
    let failure = await failure {
      _ = try await exchange.send(timeouts: .forTests { $0.total = Self.soon })
    }
    #expect(failure == .timedOut(.total))
    gate.open()
    #expect(try await slow == "slow")
    #expect(exchange.server.requests.count == 1)
  }

  @Test func `an interrupted upload is an error and not a signal`() async throws {
    let exchange = try Exchange()
    exchange.server.replyEarly(to: "/", .reset)
    let body = Data(repeating: 7, count: 30_000_000)
    for _ in 0..<10 {
      let failure = await failure { _ = try await exchange.send(.post, body: body) }
      guard case .interrupted = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }
  }

  @Test func `an early answer to an upload is accepted`() async throws {
    let exchange = try Exchange()
    exchange.server.replyEarly(
      to: "/", .text("too large", status: 413, headers: ["Connection": "close"]))
    let response = try? await exchange.send(.post, body: Data(repeating: 7, count: 100_000))
    // The system may discard the response together with unread data.
    if let response { #expect(response.status == 413) }
  }
}

/// A port that is in use without a listening server.
private final class BoundPort {
  let number: Int
  private var sockets: [Int32] = []

  init(backlogFilled: Bool = false) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    sockets.append(listener)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let clients = (0..<8).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    sockets += clients
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, size) == 0, getsockname(listener, address, &size) == 0 else {
          return false
        }
        guard backlogFilled else { return true }
        guard listen(listener, 0) == 0 else { return false }
        for client in clients {
          _ = fcntl(client, F_SETFL, O_NONBLOCK)
          _ = connect(client, address, size)
        }
        return true
      }
    }
    try #require(isBound)
    number = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit {
    for socket in sockets { close(socket) }
  }
}
