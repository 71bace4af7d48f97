import Foundation
import ServiceCredentials
import TestSupport
import Testing

@testable import ServiceTransport
import SpeechText

struct WebSocketCodecTests {
  /// The events and the error of a parser for these pieces.
  private func read(
    _ bytes: [UInt8], cuts: [Int] = [], limit: Int = 1 << 20
  ) -> (events: [WebSocketEvent], violation: WebSocketProtocolError?) {
    var parser = WebSocketParser(messageLimit: limit)
    var events: [WebSocketEvent] = []
    var start = 0
    do {
      for end in (cuts + [bytes.count]).map({ min($0, bytes.count) }).sorted() {
        try bytes[start..<end].withUnsafeBytes { try parser.consume($0, into: &events) }
        start = end
      }
      return (events, nil)
    } catch {
      return (events, error as? WebSocketProtocolError)
    }
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
  func `a message survives encoding and decoding`(count: Int) throws {
    let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for message in [.binary(bytes), .text(String(repeating: "é", count: count / 2))]
      as [WebSocketMessage]
    {
      let plain = message.frames().flatMap { $0.encoded(mask: nil) }
      #expect(read(plain).events == [.message(message)])
      #expect(read(plain, cuts: [3, 7, 8, 9, 21]).events == [.message(message)])
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 70_000])
  func `a client's payload is masked`(count: Int) {
    let frame = WebSocketFrame(
      opcode: .binary, payload: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let mask: [UInt8] = [0xDE, 0xAD, 0xBE, 0x0F]
    var head = frame.encoded(mask: nil).dropLast(count)
    head[1] |= 0x80
    let payload = frame.payload.enumerated().map { $1 ^ mask[$0 % 4] }
    #expect(frame.encoded(mask: 0xDEAD_BE0F) == head + mask + payload)
  }

  @Test func `a long message is split so that a ping fits in between`() {
    let frames = WebSocketMessage.binary(Data(count: 200_000)).frames()
    #expect(frames.map(\.payload.count) == [65_536, 65_536, 65_536, 3_392])
    #expect(frames.map(\.opcode) == [.binary, .continuation, .continuation, .continuation])
    #expect(frames.map(\.isFinal) == [false, false, false, true])
  }

  @Test func `the shortest length form is used, without the top bit`() {
    #expect(
      WebSocketFrame(opcode: .binary, payload: [UInt8](repeating: 0, count: 126))
        .encoded(mask: nil).prefix(4) == [0x82, 126, 0, 126])
    #expect(
      WebSocketFrame(opcode: .text, payload: Array("Hello".utf8)).encoded(mask: 0x37fa_213d)
        == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
  }

  @Test func `control frames may interrupt a fragmented message`() {
    let bytes =
      WebSocketFrame(isFinal: false, opcode: .text, payload: Array("gr".utf8) + [0xC3])
      .encoded(mask: nil)
      + WebSocketFrame(opcode: .ping, payload: [1, 2]).encoded(mask: nil)
      + WebSocketFrame(opcode: .continuation, payload: [0xBC] + Array("n".utf8)).encoded(mask: nil)
    #expect(read(bytes).events == [.ping([1, 2]), .message(.text("grün"))])
  }

  @Test(
    arguments: [
      ([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69], 1002), ([0xC1, 0x00], 1002), ([0x83, 0x00], 1002),
      ([0x89, 126, 0, 126], 1002), ([0x09, 0x00], 1002), ([0x80, 0x00], 1002),
      ([0x01, 0x00, 0x01, 0x00], 1002), ([0x81, 0x01, 0xFF], 1007),
      ([0x81, 0x03, 0xED, 0xA0, 0x80], 1007), ([0x81, 126, 0, 5], 1002),
      ([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),
      ([0x82, 127, 0xFF, 0, 0, 0, 0, 0, 0, 0], 1002),
      ([0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 1], 1009), ([0x88, 1, 3], 1002),
      ([0x88, 2, 0x03, 0xED], 1002), ([0x88, 3, 0x03, 0xE8, 0xFF], 1007),
    ] as [([UInt8], UInt16)])
  func `a protocol violation is refused with its code`(bytes: [UInt8], code: UInt16) {
    #expect(read(bytes).violation?.close.code == code)
  }

  @Test func `nothing is parsed after a close frame`() {
    let bytes =
      [0x88, 0x02, 0x03, 0xE8] + WebSocketFrame(opcode: .ping, payload: []).encoded(mask: nil)
    #expect(read(bytes).events == [.close(WebSocketClose(code: 1000))])
  }

  @Test func `a close reason is truncated between characters`() throws {
    let close = WebSocketClose(code: 1000, reason: String(repeating: "ü", count: 100))
    #expect(close.payload.count == 124)
    #expect(String(validating: close.payload.dropFirst(2), as: UTF8.self) != nil)
  }

  @Test func `the accept value matches the standard's example`() {
    #expect(
      WebSocketHandshake.acceptance(of: "dGhlIHNhbXBsZSBub25jZQ==")
        == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  /// Mostly valid frames, some of them damaged, split at random: the result does not depend on the
  /// split, and never more than the limit is stored.
  @Test func `hostile bytes give the same events in any pieces`() async {
    var random = SplitMix(seed: 20_261_121)
    let opcodes: [WebSocketFrame.Opcode] = [.text, .binary, .continuation, .ping, .pong, .close]
    var violations = 0
    var messages = 0
    let rounds = Endurance.count(full: 100_000, short: 5_000)
    for number in 0..<rounds {
      // Lets other tests use the thread.
      if number % 1_000 == 0 { await Task.yield() }
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let count = Int.random(
          in: 0...(Int.random(in: 0...9, using: &random) == 0 ? 300 : 20), using: &random)
        let letters = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
        let opcode = opcodes[Int.random(in: 0..<opcodes.count, using: &random)]
        var frame = WebSocketFrame(
          isFinal: Int.random(in: 0...3, using: &random) > 0, opcode: opcode, payload: letters)
        if opcode == .close, count >= 2 {
          frame.payload.replaceSubrange(0..<2, with: [0x03, 0xE8])
        }
        bytes += frame.encoded(mask: nil)
      }
      if Int.random(in: 0...2, using: &random) == 0, !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0...7, using: &random)
      }
      let cuts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Int.random(in: 0...bytes.count, using: &random)
      }
      let whole = read(bytes, limit: 200)
      let cut = read(bytes, cuts: cuts, limit: 200)
      if whole.events != cut.events || whole.violation != cut.violation {
        Issue.record("\(bytes) cut at \(cuts) reads differently")
        return
      }
      violations += whole.violation == nil ? 0 : 1
      messages += whole.events.count
    }
    // The generator is useful only if it finds both.
    #expect(violations > rounds / 10 && messages > rounds / 2)
  }

  @Test func `random bytes neither crash nor grow the parser`() async {
    var random = SplitMix(seed: 7)
    for number in 0..<Endurance.count(full: 100_000, short: 5_000) {
      if number % 1_000 == 0 { await Task.yield() }
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      for event in read(bytes, limit: 64).events {
        if case .message(let message) = event, message.count > 64 { Issue.record("\(bytes)") }
      }
    }
  }

  @Test func `parsing takes linear time`() {
    let bytes = Array(
      repeating: WebSocketFrame(opcode: .binary, payload: [1, 2, 3]).encoded(mask: nil),
      count: 50_000
    ).flatMap { $0 }
    // Single bytes are the worst case.
    #expect(read(bytes, cuts: Array(1..<bytes.count)).events.count == 50_000)
  }
}

struct WebSocketHandshakeTests {
  private let nonce = Array("the sample nonce".utf8)

  private func handshake(_ request: WebSocketRequest) throws -> WebSocketHandshake {
    try WebSocketHandshake(request, address: WebSocketAddress(request.url), nonce: nonce)
  }

  private func address(_ text: String) throws -> WebSocketRequest {
    WebSocketRequest(try #require(URL(string: text)))
  }

  @Test func `the handshake request has the documented form`() throws {
    var request = try address("ws://example.org:8080/chat%20room?x=a%26b")
    request.headers["X-Mark"] = "one"
    request.headers.setSecret("Authorization", SecureString("key"), prefix: "Bearer ")
    request.subprotocols = ["phoenix"]
    request.secretSubprotocol = .init(prefix: "bearer.", secret: SecureString("token"))
    var bytes: [UInt8] = []
    try handshake(request).writeHead(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        GET /chat%20room?x=a%26b HTTP/1.1\r
        Host: example.org:8080\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Protocol: phoenix, bearer.token\r
        User-Agent: SpeechKit/\(ToolkitVersion.current)\r
        X-Mark: one\r
        Authorization: Bearer key\r
        \r

        """)
  }

  @Test(arguments: [
    "ftp://host/", "ws://user:pass@host/", "ws://host/#part", "ws:///path", "/path",
  ])
  func `an invalid address is refused`(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: HTTPFailure.self) { try WebSocketAddress(url) }
  }

  @Test func `loopback addresses are recognised`() throws {
    for (text, isLoopback) in [
      ("ws://localhost/", true), ("ws://127.0.0.1:80/", true), ("ws://[::1]:4000/", true),
      ("ws://127.example.org/", false), ("ws://example.org/", false),
    ] {
      #expect(try WebSocketAddress(address(text).url).isLoopback == isLoopback, "\(text)")
    }
    #expect(try WebSocketAddress(address("ws://[::1]:4000/x").url).authority == "[::1]:4000")
  }

  @Test(arguments: ["a\r\nX: y", "nul\0", "\u{7F}"])
  func `a header cannot be injected`(value: String) throws {
    var request = try address("ws://host/")
    request.headers["X-Mark"] = value
    #expect(throws: HTTPFailure.self) { try handshake(request) }
    request.headers = HTTPHeaders()
    request.headers.setSecret("X-Key", SecureString(value))
    let error = #expect(throws: HTTPFailure.self) { try handshake(request) }
    #expect(!String(describing: error).contains(value))
    request.headers = [value: "x"]
    #expect(throws: HTTPFailure.self) { try handshake(request) }
  }

  @Test func `the answer may arrive in any pieces`() throws {
    let answer = Array(
      ("HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nCONNECTION: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nrest").utf8)
    for cut in 0...answer.count {
      var handshake = try handshake(address("ws://host/"))
      let early = try handshake.consume(answer[..<cut])
      let late = early == nil ? try handshake.consume(answer[cut...]) : nil
      let (result, rest) = try #require(early ?? late)
      #expect(result == .accepted(subprotocol: nil))
      #expect(rest + (early == nil ? [] : Array(answer[cut...])) == Array("rest".utf8))
    }
  }
}
