import AIServices
import Foundation
import ServiceTestSupport
import TestSupport
import Testing
@testable import LLMSocket

@Suite(.needsPeers) struct SocketIOPollingTests {
  private func service(
    _ port: Int, _ transports: SocketIOTransports, path: String? = nil
  ) throws -> LLMService {
    LLMService(
      LLMConfiguration(
        url: try #require(URL(string: "http://127.0.0.1:\(port)")), path: path, dialect: .socketIO,
        connectionAttempts: 1_000, reconnection: impatient, transports: transports),
      http: CurlTransport(offline: OfflineMode()))
  }

  @Test(arguments: [SocketIOTransports.polling, .pollingWithUpgrade])
  func `requests are answered`(transports: SocketIOTransports) async throws {
    try await Peer.with("socketio_server.py") { peer in
      let service = try service(peer.port, transports)
      try await service.open()
      #expect(try await peer.report("connected").hasPrefix("polling"))
      // Many at once, so that some are sent before, some during and some after the upgrade.
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<300 {
          group.addTask { try await service.generateText("\(number)") == "<\(number)>" }
        }
        for try await isRight in group { #expect(isRight) }
      }
      #expect(try await service.generateText("blob") == "<blob>")
      await service.disconnect()
      _ = try await peer.report("disconnected")
    }
  }

  @Test func `the connection is upgraded to a WebSocket`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let service = try service(peer.port, .pollingWithUpgrade)
      try await service.open()
      #expect(try await peer.report("upgraded") == "")
      #expect(try await service.generateText("after") == "<after>")
      await service.disconnect()
    }
  }

  @Test func `without a WebSocket polling continues`() async throws {
    try await Peer.with("socketio_server.py", [#"{"transports":["polling"]}"#]) { peer in
      let service = try service(peer.port, .pollingWithUpgrade)
      for number in 0..<20 {
        #expect(try await service.generateText("\(number)") == "<\(number)>")
      }
      await service.disconnect()
    }
  }

  @Test func `a stopped server is detected`() async throws {
    let peer = try await Peer.start("socketio_server.py")
    let service = try service(peer.port, .polling)
    let waiting = Task { try await service.generateText("hang") }
    _ = try await peer.report("hanging")
    await peer.stop()
    await #expect {
      try await waiting.value
    } throws: { error in
      (error as? LLMError)?.code == .connectionLost
    }
    try await Peer.with("socketio_server.py", [#"{"port":\#(peer.port)}"#]) { _ in
      let back = try await service.generateText("back")
      #expect(back == "<back>")
      await service.disconnect()
    }
  }

  @Test func `a wrong path has its own error`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let service = try service(peer.port, .polling, path: "/elsewhere/")
      await #expect(throws: WireError.status(404)) { try await service.open() }
    }
  }
}
