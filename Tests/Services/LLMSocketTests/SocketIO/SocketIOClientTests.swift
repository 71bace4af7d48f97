import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing
@testable import LLMSocket

/// Short delays, so that tests need not wait.
let impatient = ReconnectionPolicy(
  delays: [.milliseconds(20), .milliseconds(50)], quickFailureTime: .milliseconds(1))

@Suite(.needsPeers) struct SocketIOClientTests {
  private func configuration(_ port: Int) throws -> SocketIOConfiguration {
    SocketIOConfiguration(
      url: try #require(URL(string: "ws://127.0.0.1:\(port)/ignored")), reconnection: impatient)
  }

  private func client(_ peer: Peer) throws -> SocketIOClient {
    SocketIOClient(try configuration(peer.port))
  }

  @Test func `events are sent and received, with and without acknowledgement`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer)
      var events = client.events().makeAsyncIterator()
      try await client.connect()
      #expect(try await peer.report("connected") == "websocket null")
      let reply = try await client.request("echo", ["grün", 1, 2.5, true, nil, ["a": [1]]])
      #expect(reply.arguments == ["grün", 1, 2.5, true, nil, ["a": [1]]])
      try await client.emit("say", ["one", 2])
      let event = try #require(await events.next())
      #expect(event.name == "said" && event.arguments == ["one", 2])
      try await client.emit("ask")
      let question = try #require(await events.next())
      try await client.acknowledge(question, ["42"])
      #expect(try await peer.report("answer") == #"["42"]"#)
      await client.disconnect()
      #expect(client.state == .ended(reason: nil))
      #expect(try await peer.report("disconnected") == "client disconnect")
      await #expect(throws: SocketIOError.notConnected) { try await client.emit("say") }
      try await client.connect()
      #expect(try await client.request("echo", ["again"]).arguments == ["again"])
      await client.disconnect()
    }
  }

  @Test func `bytes are sent and received as attachments`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer)
      var events = client.events().makeAsyncIterator()
      try await client.connect()
      let bytes = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
      let reply = try await client.request("reverse", [.attachment(0)], attachments: [bytes])
      #expect(reply.data(reply.arguments[0]) == Data(bytes.reversed()))
      #expect(reply.arguments[1] == ["length": 300])
      try await client.emit("blob", [1_000])
      let event = try #require(await events.next())
      let content = try #require(event.arguments.first?.dictionaryValue)
      #expect(event.data(try #require(content["first"])) == Data(repeating: 1, count: 1_000))
      #expect(event.data(try #require(content["again"]?.arrayValue?.first)) == Data([2]))
      await #expect(throws: SocketIOError.tooLarge(limit: 1 << 20)) {
        try await client.emit("say", [.attachment(0)], attachments: [Data(count: 2 << 20)])
      }
      await client.disconnect()
    }
  }

  @Test func `attachments beyond the limit end the connection`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      var configuration = try configuration(peer.port)
      configuration.messageLimit = 10_000
      let client = SocketIOClient(configuration)
      var states = client.states.makeAsyncIterator()
      try await client.connect()
      try await client.emit("blob", [20_000])
      var reason: String?
      while reason == nil, let state = await states.next() {
        if case .waiting(_, let text) = state { reason = text }
      }
      #expect(reason?.contains("10000") == true)
      await client.disconnect()
    }
  }

  @Test func `namespaces are joined separately`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer)
      try await client.connect()
      try await client.join("/admin")
      _ = try await peer.report("admin")
      let reply = try await client.request("echo", ["x"], namespace: "/admin")
      #expect(reply.arguments == ["/admin", "x"])
      await #expect(throws: SocketIOError.refused(namespace: "/locked", message: "no entry")) {
        try await client.join("/locked")
      }
      await #expect(throws: SocketIOError.self) { try await client.join("/nowhere") }
      await #expect(throws: SocketIOError.notConnected) {
        try await client.emit("echo", namespace: "/locked")
      }
      try await client.leave("/admin")
      #expect(try await client.request("echo", ["still here"]).arguments == ["still here"])
      await client.disconnect()
    }
  }

  @Test func `a refusal is reported and not retried`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      var configuration = try configuration(peer.port)
      configuration.secretAuth = ["token": SecureString("wrong")]
      let refused = SocketIOClient(configuration)
      await #expect(throws: SocketIOError.refused(namespace: "/", message: "unauthorized")) {
        try await refused.connect()
      }
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!dumped.contains("wrong"))
      configuration.secretAuth = ["token": SecureString("right")]
      configuration.auth = ["name": "me"]
      let client = SocketIOClient(configuration)
      try await client.connect()
      let seen = try await peer.report("connected")
      #expect(seen.contains("right") && seen.contains("me"))
      await client.disconnect()
      configuration.path = "/elsewhere/"
      let lost = SocketIOClient(configuration)
      await #expect(throws: WebSocketHandshakeError.self) { try await lost.connect() }
    }
  }

  @Test func `a missing acknowledgement times out`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer)
      try await client.connect()
      await #expect(throws: SocketIOError.acknowledgementTimedOut) {
        try await client.request("hang", timeout: .milliseconds(50))
      }
      let waiting = Task { try await client.request("hang", timeout: .seconds(60)) }
      _ = try await peer.report("hanging")
      _ = try await peer.report("hanging")
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await client.disconnect()
    }
  }

  @Test func `a restarted server is found again`() async throws {
    let first = try await Peer.start("socketio_server.py")
    let client = try client(first)
    var states = client.states.makeAsyncIterator()
    try await client.connect()
    try await client.join("/admin")
    let waiting = Task { try await client.request("hang", timeout: .seconds(60)) }
    _ = try await first.report("hanging")
    await first.stop()
    await #expect {
      try await waiting.value
    } throws: { error in
      if case SocketIOError.connectionLost = error { true } else { false }
    }
    try await Peer.with("socketio_server.py", [#"{"port":\#(first.port)}"#]) { second in
      var seen: [SocketState] = []
      while let state = await states.next() {
        seen.append(state)
        if seen.count > 2, state == .connected { break }
      }
      #expect(seen.first == .connecting(attempt: 1))
      #expect(seen.contains { if case .waiting = $0 { true } else { false } })
      _ = try await second.report("admin")
      #expect(try await client.request("echo", ["back"]).arguments == ["back"])
      await client.disconnect()
    }
  }

  @Test func `a silent server is abandoned`() async throws {
    try await Peer.with("socketio_server.py", [#"{"ping":2}"#]) { peer in
      let client = try client(peer)
      var states = client.states.makeAsyncIterator()
      try await client.connect()
      // The connection lasts longer than interval and timeout together, because pings are answered.
      for _ in 0..<3 { _ = try await peer.report("ping") }
      #expect(client.state == .connected)
      peer.freeze()
      let clock = ContinuousClock.now
      var reason: String?
      while reason == nil, let state = await states.next() {
        if case .waiting(_, let text) = state { reason = text }
      }
      #expect(reason == SocketIOError.heartbeatLost.errorDescription)
      // The interval and the timeout, and the delays of a busy machine.
      #expect(clock.duration(to: .now) < .seconds(120))
      await client.disconnect()
    }
  }

  @Test func `a server that ends every connection at once is abandoned`() async throws {
    try await Peer.with("quick_failure.py") { peer in
      var configuration = try configuration(peer.port)
      configuration.reconnection.quickFailureTime = .seconds(60)
      let client = SocketIOClient(configuration)
      await #expect {
        try await client.connect()
      } throws: { error in
        (error as? RepeatedQuickFailure)?.count == 3
      }
      for _ in 0..<3 { _ = try await peer.report("accepted") }
    }
  }

  @Test func `delays follow the policy on the given clock`() async throws {
    let gone = try await Peer.start("quick_failure.py")
    await gone.stop()
    let clock = SteppedClock()
    var configuration = try configuration(gone.port)
    configuration.reconnection = ReconnectionPolicy(
      delays: [.seconds(1), .seconds(2), .seconds(5)], jitter: 0.5, attemptLimit: 4,
      random: { 0.75 })
    let client = SocketIOClient(configuration, clock: clock)
    let connecting = Task { try await client.connect() }
    for delay: Duration in [.seconds(1.25), .seconds(2.5), .seconds(6.25), .seconds(6.25)] {
      try await clock.advance(toSleeperAfter: delay)
    }
    await #expect {
      try await connecting.value
    } throws: { error in
      if case HTTPFailure.unreachable = error { true } else { false }
    }
  }

  @Test func `in offline mode no connection is opened`() async throws {
    let client = SocketIOClient(
      try configuration(1), sockets: CurlTransport(offline: OfflineMode(isOn: true)))
    await #expect(throws: HTTPFailure.offline("127.0.0.1")) { try await client.connect() }
  }

  @Test func `a released client closes its connection`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      do {
        let client = try client(peer)
        try await client.connect()
      }
      _ = try await peer.report("disconnected")
    }
  }
}
