import AIServiceTesting
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing

@testable import ServiceTransport

@Suite(.needsPeers) struct WebSocketConnectionTests {
  private func request(_ peer: Peer, _ path: String) throws -> WebSocketRequest {
    WebSocketRequest(try #require(URL(string: "ws://127.0.0.1:\(peer.port)\(path)")))
  }

  private func open(_ peer: Peer, _ path: String) async throws -> any WebSocketConnection {
    try await CurlTransport.shared.open(request(peer, path))
  }

  @Test func `messages of all sizes are echoed in order`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/echo")
      let messages: [WebSocketMessage] = [
        .text(""), .text("grün"), .binary(Data(count: 126)), .binary(Data(count: 70_000)),
        .text(String(repeating: "x", count: 1 << 20)),
      ]
      for message in messages { try await socket.send(message) }
      for message in messages { #expect(try await socket.receive() == message) }
      await socket.close(WebSocketClose(code: 1000, reason: "done"))
      #expect(socket.close?.code == 1000)
      #expect(try await peer.report("closed") == "1000 done")
      #expect(try await socket.receive() == nil)
      await #expect(throws: HTTPFailure.self) { try await socket.send(.text("late")) }
    }
  }

  @Test func `many senders on one connection lose no message`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/echo")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1_000 {
          group.addTask { try await socket.send(.text("message \(number)")) }
        }
        var numbers: Set<WebSocketMessage> = []
        for _ in 0..<1_000 { numbers.insert(try #require(try await socket.receive())) }
        #expect(numbers.count == 1_000)
        try await group.waitForAll()
      }
      await socket.close()
    }
  }

  @Test func `the server's close frame ends the messages`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/bye")
      try await socket.send(.text("last words"))
      var heard: [WebSocketMessage] = []
      for try await message in socket.messages { heard.append(message) }
      #expect(heard == [.text("last words")])
      #expect(socket.close == WebSocketClose(code: 4001, reason: "enough"))
      #expect(try await peer.report("closed") == "4001 enough")
    }
  }

  @Test func `a refused handshake has its own error`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      await #expect(throws: WebSocketHandshakeError(status: 403, body: "not you")) {
        try await open(peer, "/refuse")
      }
      var request = try request(peer, "/echo")
      request.subprotocols = ["other", "echo"]
      let socket = try await CurlTransport.shared.open(request)
      #expect(socket.subprotocol == "echo")
      await socket.close()
    }
  }

  @Test func `an unused address, an unknown host and a missing network have their own errors`()
    async throws
  {
    let peer = try await Peer.start("websocket_echo.py")
    await peer.stop()
    await #expect {
      try await open(peer, "/echo")
    } throws: { error in
      if case HTTPFailure.unreachable = error { true } else { false }
    }
    let unknown = WebSocketRequest(try #require(URL(string: "ws://nowhere.invalid/")))
    await #expect {
      try await CurlTransport.shared.open(unknown)
    } throws: { error in
      switch error {
      case HTTPFailure.unknownHost, HTTPFailure.timedOut(.connect): true
      default: false
      }
    }
    await #expect(throws: HTTPFailure.offline("127.0.0.1")) {
      try await CurlTransport(offline: OfflineMode(isOn: true)).open(request(peer, "/echo"))
    }
  }

  @Test func `a flood of messages waits until they are read`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/flood")
      let stalledAt = try #require(Int(try await peer.report("stalled")))
      // The capacity of the system's buffers and ours, of 64 MiB.
      #expect(stalledAt < 512)
      var number: UInt32 = 0
      for try await message in socket.messages {
        guard case .binary(let data) = message else { break }
        #expect(data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } == number)
        number += 1
      }
      #expect(number == 1_024)
    }
  }

  @Test func `a sender waits until the server accepts data`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/deaf")
      let sent = Guarded(0)
      async let all: Void = {
        for _ in 0..<1_024 {
          try await socket.send(.binary(Data(count: 65_536)))
          sent.withLock { $0 += 1 }
        }
      }()
      let other = try await open(peer, "/echo")
      try await other.send(.text("meanwhile"))
      #expect(try await other.receive() == .text("meanwhile"))
      // The system's buffers are smaller than 64 MiB, so this holds for any waiting time.
      #expect(sent.withLock { $0 } < 1_024)
      try peer.tell("read")
      try await all
      await socket.close()
      #expect(try await peer.report("received") == "1024 \(1_024 * 65_536)")
      await other.close()
    }
  }

  @Test func `a silent server is detected`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      var request = try request(peer, "/silent")
      request.pingInterval = .milliseconds(50)
      request.pingTimeout = .milliseconds(200)
      let socket = try await CurlTransport.shared.open(request)
      await #expect(throws: HTTPFailure.timedOut(.idle)) { try await socket.receive() }
    }
  }

  @Test func `a server that answers pings does not count as silent`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      var request = try request(peer, "/pings")
      request.pingInterval = .milliseconds(10)
      let socket = try await CurlTransport.shared.open(request)
      for round in 0..<5 {
        // The second is sent only after the first was answered.
        for _ in 0..<2 { _ = try await peer.report("ping") }
        try await socket.send(.text("\(round)"))
        #expect(try await socket.receive() == .text("\(round)"))
      }
      await socket.close()
    }
  }

  @Test func `secrets are sent and appear nowhere else`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      var request = try request(peer, "/headers")
      request.headers.setSecret("Authorization", SecureString("marked-key"), prefix: "Bearer ")
      let socket = try await CurlTransport.shared.open(request)
      guard case .text(let fields)? = try await socket.receive() else {
        Issue.record("no text")
        return
      }
      #expect(fields.contains("Bearer marked-key"))
      var dumped = ""
      dump(socket, to: &dumped)
      dump(request, to: &dumped)
      #expect(!dumped.contains("marked"))
      await socket.close()
    }
  }

  @Test func `TLS is verified`() async throws {
    let certificates = try await TestCertificates()
    let (certificate, key) = certificates.files(of: .valid)
    try await Peer.with("websocket_echo.py", [certificate, key]) { peer in
      var request = WebSocketRequest(
        try #require(URL(string: "wss://localhost:\(peer.port)/echo")))
      await #expect {
        try await CurlTransport.shared.open(request)
      } throws: { error in
        if case HTTPFailure.untrusted = error { true } else { false }
      }
      request.certificateFile = certificates.authorityFile
      let socket = try await CurlTransport.shared.open(request)
      let big = WebSocketMessage.binary(Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0) }))
      for _ in 0..<4 { try await socket.send(big) }
      for _ in 0..<4 { #expect(try await socket.receive() == big) }
      await socket.close()
      #expect(socket.close?.code == 1000)
    }
    for kind in [TestCertificates.Kind.wrongHost, .selfSigned, .expired] {
      let (certificate, key) = certificates.files(of: kind)
      try await Peer.with("websocket_echo.py", [certificate, key]) { peer in
        var request = WebSocketRequest(
          try #require(URL(string: "wss://localhost:\(peer.port)/echo")))
        request.certificateFile = certificates.authorityFile
        await #expect("\(kind)") {
          try await CurlTransport.shared.open(request)
        } throws: { error in
          if case HTTPFailure.untrusted = error { true } else { false }
        }
      }
    }
  }

  @Test func `an abandoned connection is closed`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      do {
        let socket = try await open(peer, "/echo")
        try await socket.send(.text("x"))
        _ = try await socket.receive()
      }
      #expect(try await peer.report("closed").hasPrefix("1001"))
    }
  }

  @Test func `a connection outlives its transport`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await CurlTransport(offline: OfflineMode()).open(request(peer, "/echo"))
      try await socket.send(.text("alone"))
      #expect(try await socket.receive() == .text("alone"))
      await socket.close()
      #expect(socket.close?.code == 1000)
    }
  }

  @Test func `cancelling ends waiting calls and loses no message`() async throws {
    try await Peer.with("websocket_echo.py") { peer in
      let socket = try await open(peer, "/echo")
      let reader = Task { try await socket.receive() }
      reader.cancel()
      await #expect(throws: CancellationError.self) { try await reader.value }
      try await socket.send(.text("still there"))
      #expect(try await socket.receive() == .text("still there"))
      await socket.close()
    }
    try await Peer.with("websocket_hostile.py") { peer in
      let stuck = Task { try await open(peer, "/stuck") }
      stuck.cancel()
      await #expect(throws: CancellationError.self) { try await stuck.value }
    }
  }
}

@Suite(.needsPeers) struct WebSocketHostileServerTests {
  private func open(_ peer: Peer, _ path: String) async throws -> any WebSocketConnection {
    try await CurlTransport.shared.open(
      WebSocketRequest(try #require(URL(string: "ws://127.0.0.1:\(peer.port)\(path)"))))
  }

  @Test func `a protocol violation ends the connection with its code`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      for (path, code) in [
        ("/masked", 1002), ("/reserved", 1002), ("/opcode", 1002), ("/long-ping", 1002),
        ("/cut-ping", 1002), ("/lone-continuation", 1002), ("/nested", 1002), ("/not-utf8", 1007),
        ("/surrogate", 1007), ("/padded-length", 1002), ("/top-bit", 1002), ("/announced", 1009),
        ("/short-close", 1002), ("/close-1005", 1002), ("/close-not-utf8", 1007),
      ] {
        let socket = try await open(peer, path)
        let expected =
          code == 1009
          ? "tooLarge" : "malformed"
        await #expect("\(path)") {
          while try await socket.receive() != nil {}
        } throws: { error in
          "\(error)".hasPrefix(expected)
        }
        #expect(try await peer.report(path) == "close \(code)", "\(path)")
        // Retains the connection up to here, so that it can end in order.
        await socket.close()
      }
    }
  }

  @Test func `an endless message ends at the limit`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      let socket = try await open(peer, "/fragments")
      await #expect(throws: HTTPFailure.tooLarge(limit: 1 << 20)) { try await socket.receive() }
    }
  }

  @Test func `messages before a protocol violation are delivered`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      let socket = try await open(peer, "/messages-then-violation")
      #expect(try await socket.receive() == .text("one"))
      #expect(try await socket.receive() == .text("two"))
      await #expect(throws: HTTPFailure.self) { try await socket.receive() }
    }
  }

  @Test func `fragments and single bytes are assembled`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      let pieces = try await open(peer, "/pieces")
      #expect(try await pieces.receive() == .text("grün"))
      await pieces.close()
      let drip = try await open(peer, "/drip")
      #expect(try await drip.receive() == .text("süß"))
      #expect(try await drip.receive() == .binary(Data(count: 300)))
      #expect(try await drip.receive() == nil)
      #expect(drip.close == WebSocketClose(code: 1000, reason: "bye"))
      let many = try await open(peer, "/many-small")
      var count = 0
      for try await _ in many.messages { count += 1 }
      #expect(count == 200_000)
    }
  }

  @Test func `a broken connection is an error, not an end`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      for path in ["/reset", "/hang-up"] {
        await #expect("\(path)") {
          let socket = try await open(peer, path)
          while try await socket.receive() != nil {}
        } throws: { error in
          if case HTTPFailure.interrupted = error { true } else { false }
        }
      }
    }
  }

  @Test func `a server that does not answer the close frame is left after a timeout`() async throws
  {
    try await Peer.with("websocket_hostile.py") { peer in
      let socket = try await open(peer, "/no-farewell")
      await socket.close()
      #expect(socket.close?.code == 1006)
      #expect(try await peer.report("/no-farewell") == "gone")
    }
  }

  @Test func `an answer without an upgrade is refused`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      for path in [
        "/wrong-proof", "/no-upgrade", "/extension", "/protocol", "/not-http", "/endless-head",
      ] {
        await #expect("\(path)") {
          try await open(peer, path)
        } throws: { error in
          if case HTTPFailure.malformed = error { true } else { false }
        }
      }
      for (path, refusal) in [
        ("/ok", WebSocketHandshakeError(status: 200, body: "hello")),
        ("/moved", WebSocketHandshakeError(status: 302)),
        ("/unauthorised", WebSocketHandshakeError(status: 401, body: "no key")),
        ("/busy", WebSocketHandshakeError(status: 503, retryAfter: 90)),
      ] {
        await #expect(throws: refusal, "\(path)") { try await open(peer, path) }
      }
      await #expect {
        try await open(peer, "/nothing")
      } throws: { error in
        if case HTTPFailure.interrupted(_, beforeResponse: true) = error { true } else { false }
      }
    }
  }

  @Test func `opening ends within its timeout`() async throws {
    try await Peer.with("websocket_hostile.py") { peer in
      var request = WebSocketRequest(
        try #require(URL(string: "ws://127.0.0.1:\(peer.port)/stuck")))
      request.openTimeout = .milliseconds(200)
      await #expect(throws: HTTPFailure.timedOut(.firstByte)) {
        try await CurlTransport.shared.open(request)
      }
      #expect(try await peer.report("/stuck") == "gone")
    }
  }
}
