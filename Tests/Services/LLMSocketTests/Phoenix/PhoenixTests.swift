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
      #expect(throws: WireError.self) { try PhoenixFrame(bad) }
    }
  }
}

struct PhoenixSessionTests {
  private func session() -> PhoenixSession {
    var session = PhoenixSession(prefix: "t")
    session.connected()
    return session
  }

  private func frame(
    _ event: String, _ topic: String, joinRef: String?, ref: String? = nil,
    _ payload: SendableValue = [:]
  ) -> PhoenixFrame {
    PhoenixFrame(joinRef: joinRef, ref: ref, topic: topic, event: event, payload: payload)
  }

  private let ok: SendableValue = ["status": "ok", "response": [:]]

  @Test func `a lane is joined, used and left`() throws {
    var session = session()
    #expect(
      session.open(lane: 2) == [
        .send(frame("phx_join", "t1", joinRef: "1", ref: "1")), .wait(topic: "t1", .seconds(10)),
      ])
    #expect(throws: WireError.notConnected) { try session.push("e", [:], lane: 2) }
    #expect(
      session.receive(frame("phx_reply", "t1", joinRef: "1", ref: "1", ok))
        == [.wait(topic: "t1", nil), .signal(.laneReady(2))])
    #expect(
      try session.push("e", ["x": 1], lane: 2)
        == .send(frame("e", "t1", joinRef: "1", ref: "2", ["x": 1])))
    #expect(session.receive(frame("phx_reply", "t1", joinRef: "1", ref: "2", ok)) == [])
    #expect(session.receive(frame("news", "t1", joinRef: "1")) == [])
    #expect(
      session.receive(frame("llm_response", "t1", joinRef: nil, ["y": 2]))
        == [.signal(.answer(["y": 2], lane: 2, acknowledging: nil))])
    #expect(
      session.close(lane: 2)
        == [.send(frame("phx_leave", "t1", joinRef: nil, ref: "3")), .wait(topic: "t1", nil)])
    #expect(session.receive(frame("llm_response", "t1", joinRef: "1")) == [])
    #expect(session.close(lane: 2) == [])
  }

  @Test func `a crashed channel is joined again, a closed one is not`() {
    var session = session()
    _ = session.open(lane: 0)
    _ = session.receive(frame("phx_reply", "t1", joinRef: "1", ref: "1", ok))
    for (delay, ref) in [(1, 2), (2, 3), (5, 4), (10, 5), (10, 6)] {
      #expect(
        session.receive(frame("phx_error", "t1", joinRef: "\(ref - 1)", ["reason": "crash"])) == [
          .signal(.laneLost(0, reason: "crash", returns: true)),
          .wait(topic: "t1", .seconds(delay)),
        ])
      #expect(
        session.proceed("t1").first
          == .send(frame("phx_join", "t1", joinRef: "\(ref)", ref: "\(ref)")))
    }
    _ = session.receive(frame("phx_reply", "t1", joinRef: "6", ref: "6", ok))
    // Frames of an earlier join are ignored.
    #expect(session.receive(frame("llm_response", "t1", joinRef: "1")) == [])
    #expect(session.receive(frame("phx_close", "t1", joinRef: "1", ref: "1")) == [])
    #expect(
      session.receive(frame("phx_close", "t1", joinRef: "6", ref: "6")) == [
        .wait(topic: "t1", nil),
        .signal(.laneLost(0, reason: "closed by the server", returns: false)),
      ])
    #expect(session.proceed("t1") == [])
  }

  @Test func `a join is refused, not answered, or not possible`() {
    var session = session()
    _ = session.open(lane: 0)
    let refusal: SendableValue = ["status": "error", "response": ["reason": "no"]]
    #expect(
      session.receive(frame("phx_reply", "t1", joinRef: "1", ref: "1", refusal)) == [
        .wait(topic: "t1", nil),
        .signal(.laneRefused(0, LLMError(.refused, "The server refused (no)."))),
      ])
    _ = session.open(lane: 0)
    #expect(
      session.proceed("t2") == [
        .send(frame("phx_leave", "t2", joinRef: nil, ref: "3")), .wait(topic: "t2", nil),
        .signal(.laneLost(0, reason: "the server did not reply in time", returns: false)),
      ])
    session.disconnected()
    #expect(
      session.open(lane: 0)
        == [.signal(.laneLost(0, reason: "there is no connection", returns: false))])
  }

  @Test func `an unanswered heartbeat ends the connection`() throws {
    var session = session()
    #expect(try session.heartbeat() == .send(frame("heartbeat", "phoenix", joinRef: nil, ref: "1")))
    _ = session.receive(frame("phx_reply", "phoenix", joinRef: nil, ref: "1"))
    #expect(try session.heartbeat() == .send(frame("heartbeat", "phoenix", joinRef: nil, ref: "2")))
    #expect(throws: WireError.heartbeatLost) { try session.heartbeat() }
  }
}

@Suite(.needsPeers) struct PhoenixWireTests {
  private func configuration(_ port: Int) throws -> LLMConfiguration {
    LLMConfiguration(
      url: try #require(URL(string: "ws://127.0.0.1:\(port)/socket")), dialect: .phoenix,
      reconnection: impatient)
  }

  @Test func `a server without a heartbeat is abandoned`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"mute":true}"#]) { peer in
      let clock = SteppedClock()
      let service = LLMService(try configuration(peer.port), clock: clock)
      let states = service.states
      await service.connect()
      try await clock.advance(toSleeperAfter: .seconds(30))
      _ = try await peer.report("heartbeat")
      try await clock.advance(toSleeperAfter: .seconds(30))
      #expect(await states.reasonForLoss() == WireError.heartbeatLost.errorDescription)
      await service.disconnect()
    }
  }

  @Test func `an unanswered join is repeated with another topic`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"never":true}"#]) { peer in
      let clock = SteppedClock()
      let service = LLMService(try configuration(peer.port), clock: clock)
      let waiting = Task { try await service.generateText("x") }
      let first = try await peer.report("join")
      try await clock.advance(toSleeperAfter: .seconds(10))
      #expect(try await peer.report("join") != first)
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await service.disconnect()
    }
  }

  @Test func `a token is sent in a header, and a wrong one is final`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"token":"sesame+/="}"#]) { peer in
      var configuration = try configuration(peer.port)
      configuration.credential = .token(SecureString("sesame+/="))
      let service = LLMService(configuration)
      try await service.open()
      await service.disconnect()
      configuration.credential = .token(SecureString("wrong"))
      let refused = LLMService(configuration)
      await #expect(throws: WebSocketHandshakeError(status: 403)) { try await refused.open() }
    }
  }
}
