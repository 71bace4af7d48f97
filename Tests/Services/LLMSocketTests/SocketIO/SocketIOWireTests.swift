import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import TestSupport
import Testing
@testable import LLMSocket

/// Short delays, so that tests need not wait.
let impatient = ReconnectionPolicy(
  delays: [.milliseconds(20), .milliseconds(50)], quickFailureTime: .milliseconds(1))

extension AsyncStream<SocketState> {
  /// The reason for the next loss of the connection.
  func reasonForLoss() async -> String? {
    for await state in self {
      if case .waiting(_, let reason) = state { return reason }
    }
    return nil
  }
}

@Suite(.needsPeers) struct SocketIOWireTests {
  private func configuration(_ port: Int) throws -> LLMConfiguration {
    LLMConfiguration(
      url: try #require(URL(string: "ws://127.0.0.1:\(port)/ignored")), dialect: .socketIO,
      reconnection: impatient)
  }

  @Test func `the connection is opened, closed and opened again`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let service = LLMService(try configuration(peer.port))
      for _ in 0..<2 {
        try await service.open()
        #expect(service.state == .connected)
        #expect(try await peer.report("connected") == "websocket null")
        await service.disconnect()
        #expect(service.state == .ended(reason: nil))
        #expect(try await peer.report("disconnected") == "client disconnect")
      }
    }
  }

  @Test func `events with bytes are skipped`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let service = LLMService(try configuration(peer.port))
      for _ in 0..<2 { #expect(try await service.generateText("blob") == "<blob>") }
      await service.disconnect()
    }
  }

  @Test func `a refusal is reported and not retried`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      var configuration = try configuration(peer.port)
      configuration.credential = .token(SecureString("wrong"))
      let refused = LLMService(configuration)
      await #expect(throws: WireError.refused("unauthorized")) { try await refused.open() }
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!dumped.contains("wrong"))
      configuration.credential = .token(SecureString("right"))
      let service = LLMService(configuration)
      try await service.open()
      #expect(try await peer.report("connected").contains("right"))
      await service.disconnect()
      configuration.path = "/elsewhere/"
      let lost = LLMService(configuration)
      await #expect(throws: WebSocketHandshakeError.self) { try await lost.open() }
    }
  }

  @Test func `a silent server is abandoned`() async throws {
    try await Peer.with("socketio_server.py", [#"{"ping":2}"#]) { peer in
      let service = LLMService(try configuration(peer.port))
      let states = service.states
      try await service.open()
      // The connection lasts longer than interval and timeout together, because pings are answered.
      for _ in 0..<3 { _ = try await peer.report("ping") }
      #expect(service.state == .connected)
      peer.freeze()
      let clock = ContinuousClock.now
      #expect(await states.reasonForLoss() == WireError.heartbeatLost.errorDescription)
      // The interval and the timeout, and the delays of a busy machine.
      #expect(clock.duration(to: .now) < .seconds(120))
      await service.disconnect()
    }
  }

  @Test func `a server that ends every connection at once is abandoned`() async throws {
    try await Peer.with("quick_failure.py") { peer in
      var configuration = try configuration(peer.port)
      configuration.reconnection?.quickFailureTime = .seconds(60)
      let service = LLMService(configuration)
      await #expect {
        try await service.open()
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
    let service = LLMService(configuration, clock: clock)
    let opening = Task { try await service.open() }
    for delay: Duration in [.seconds(1.25), .seconds(2.5), .seconds(6.25), .seconds(6.25)] {
      try await clock.advance(toSleeperAfter: delay)
    }
    await #expect {
      try await opening.value
    } throws: { error in
      if case HTTPFailure.unreachable = error { true } else { false }
    }
  }

  @Test func `a released service closes its connection`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      do {
        let service = LLMService(try configuration(peer.port))
        try await service.open()
      }
      _ = try await peer.report("disconnected")
    }
  }
}
