import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import TestSupport
import Testing
@testable import LLMSocket

struct PhoenixCodecTests {
  @Test func `frames have the documented encoding`() throws {
    for (text, frame) in [
      (
        #"["1","1","task:swift_a","phx_join",{}]"#,
        PhoenixFrame(joinRef: "1", ref: "1", topic: "task:swift_a", event: "phx_join")
      ),
      (
        #"[null,"6","phoenix","heartbeat",{}]"#,
        PhoenixFrame(ref: "6", topic: "phoenix", event: "heartbeat")
      ),
      (
        #"["1",null,"a","b",{"x":[1,"/"]}]"#,
        PhoenixFrame(joinRef: "1", topic: "a", event: "b", payload: ["x": [1, "/"]])
      ),
    ] {
      #expect(try PhoenixFrame(text) == frame)
      #expect(frame.text == text)
    }
    for bad in ["", "{}", "[]", "[1,2,3,4]", #"[null,null,1,"e",{}]"#, #"[{},null,"t","e",{}]"#] {
      #expect(throws: PhoenixError.self) { try PhoenixFrame(bad) }
    }
  }

  @Test func `frames of an earlier join are ignored`() throws {
    var session = PhoenixSession()
    _ = session.connected()
    #expect(
      session.join("a", [:]) == [
        .send(PhoenixFrame(joinRef: "1", ref: "1", topic: "a", event: "phx_join"))
      ])
    let ok: SendableValue = ["status": "ok", "response": [:]]
    _ = session.receive(
      PhoenixFrame(joinRef: "1", ref: "1", topic: "a", event: "phx_reply", payload: ok))
    let (ref, _) = try session.push("a", "x", [:], expectsReply: true)
    let again = session.join("a", [:])
    #expect(again.first == .reply(ref: ref, .failed(.channelLost(reason: "joined again"))))
    #expect(session.receive(PhoenixFrame(joinRef: "1", topic: "a", event: "news")) == [])
    #expect(
      session.receive(PhoenixFrame(joinRef: "1", ref: "1", topic: "a", event: "phx_close")) == [])
    let (buffered, nothing) = try session.push("a", "y", [:], expectsReply: false)
    #expect(nothing == [])
    #expect(
      session.receive(
        PhoenixFrame(joinRef: "3", ref: "3", topic: "a", event: "phx_reply", payload: ok)) == [
          .reply(ref: "3", .ok([:])), .event(.joined(topic: "a")),
          .send(PhoenixFrame(joinRef: "3", ref: buffered, topic: "a", event: "y")),
        ])
    #expect(
      session.receive(PhoenixFrame(joinRef: "3", topic: "a", event: "news")) == [
        .event(.message(topic: "a", event: "news", payload: [:]))
      ])
  }

  @Test func `an unanswered heartbeat ends the connection`() {
    var session = PhoenixSession()
    _ = session.connected()
    #expect(
      session.heartbeat() == [.send(PhoenixFrame(ref: "1", topic: "phoenix", event: "heartbeat"))])
    _ = session.receive(PhoenixFrame(ref: "1", topic: "phoenix", event: "phx_reply"))
    #expect(
      session.heartbeat() == [.send(PhoenixFrame(ref: "2", topic: "phoenix", event: "heartbeat"))])
    #expect(session.heartbeat() == [.dead])
  }
}

@Suite(.needsPeers) struct PhoenixClientTests {
  private func configuration(_ port: Int) throws -> PhoenixConfiguration {
    PhoenixConfiguration(
      url: try #require(URL(string: "ws://127.0.0.1:\(port)/socket")), reconnection: impatient)
  }

  private func client(
    _ peer: Peer, clock: any Clock<Duration> = ContinuousClock()
  ) throws -> PhoenixClient {
    PhoenixClient(try configuration(peer.port), clock: clock)
  }

  @Test func `topics are joined, used and left`() async throws {
    try await Peer.with("phoenix_server.py") { peer in
      let client = try client(peer)
      try await client.connect()
      #expect(try await client.join("room:a", ["name": "me"]) == ["hello": "me"])
      #expect(try await client.request("room:a", "ping", ["x": 1]) == ["x": 1])
      await #expect(throws: PhoenixError.refused(reason: "not today")) {
        try await client.request("room:a", "refuse")
      }
      await #expect(throws: PhoenixError.refused(reason: "Task not found")) {
        try await client.join("task:unknown")
      }
      await #expect(throws: PhoenixError.notJoined(topic: "room:b")) {
        try await client.push("room:b", "ping")
      }
      var events = client.events().makeAsyncIterator()
      try await client.push("room:a", "stale")
      #expect(
        await events.next()
          == .message(topic: "room:a", event: "note", payload: ["text": "current"]))
      try await client.leave("room:a")
      await #expect(throws: PhoenixError.notJoined(topic: "room:a")) {
        try await client.request("room:a", "ping")
      }
      await client.disconnect()
    }
  }

  @Test func `a crashed channel is joined again, a closed one is not`() async throws {
    try await Peer.with("phoenix_server.py") { peer in
      let clock = SteppedClock()
      let client = try client(peer, clock: clock)
      var events = client.events().makeAsyncIterator()
      try await client.connect()
      try await client.join("room:a")
      _ = try await peer.report("join room:a")
      let waiting = Task { try await client.request("room:a", "silent") }
      _ = try await peer.report("silent")
      try await client.push("room:a", "crash")
      await #expect(throws: PhoenixError.channelLost(reason: "channel_crash")) {
        try await waiting.value
      }
      try await clock.advance(toSleeperAfter: .seconds(1))
      _ = try await peer.report("join room:a")
      #expect(await events.next() == .joined(topic: "room:a"))
      #expect(
        await events.next() == .lost(topic: "room:a", reason: "channel_crash", isFinal: false))
      #expect(await events.next() == .joined(topic: "room:a"))
      try await client.push("room:a", "close")
      #expect(
        await events.next() == .lost(topic: "room:a", reason: "closed by the server", isFinal: true)
      )
      await #expect(throws: PhoenixError.notJoined(topic: "room:a")) {
        try await client.push("room:a", "ping")
      }
      await client.disconnect()
    }
  }

  @Test func `a lost connection is reopened with its topics`() async throws {
    try await Peer.with("phoenix_server.py") { peer in
      let client = try client(peer)
      try await client.connect()
      try await client.join("room:a")
      _ = try await peer.report("join room:a")
      let waiting = Task { try await client.request("room:a", "silent") }
      _ = try await peer.report("silent")
      try peer.tell("drop")
      await #expect {
        try await waiting.value
      } throws: { error in
        if case PhoenixError.connectionLost = error { true } else { false }
      }
      _ = try await peer.report("join room:a")
      #expect(try await client.request("room:a", "ping", ["x": 1]) == ["x": 1])
      await client.disconnect()
    }
  }

  @Test func `a server without a heartbeat is abandoned`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"mute":true}"#]) { peer in
      let clock = SteppedClock()
      let client = try client(peer, clock: clock)
      var states = client.states.makeAsyncIterator()
      try await client.connect()
      try await clock.advance(toSleeperAfter: .seconds(30))
      _ = try await peer.report("heartbeat")
      try await clock.advance(toSleeperAfter: .seconds(30))
      var reason: String?
      while reason == nil, let state = await states.next() {
        if case .waiting(_, let text) = state { reason = text }
      }
      #expect(reason == PhoenixError.heartbeatLost.errorDescription)
      await client.disconnect()
    }
  }

  @Test func `an unanswered join times out`() async throws {
    try await Peer.with("phoenix_server.py") { peer in
      let clock = SteppedClock()
      let client = try client(peer, clock: clock)
      try await client.connect()
      let joining = Task { try await client.join("room:a", ["never": true]) }
      _ = try await peer.report("join room:a")
      try await clock.advance(toSleeperAfter: .seconds(10))
      await #expect(throws: PhoenixError.replyTimedOut) { try await joining.value }
      await client.disconnect()
    }
  }

  @Test func `a token is sent in a header, and a wrong one is final`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"token":"sesame+/="}"#]) { peer in
      var configuration = try configuration(peer.port)
      configuration.token = SecureString("sesame+/=")
      let client = PhoenixClient(configuration)
      try await client.connect()
      await client.disconnect()
      configuration.token = SecureString("wrong")
      let refused = PhoenixClient(configuration)
      await #expect(throws: WebSocketHandshakeError(status: 403)) { try await refused.connect() }
    }
  }
}
