import AIServices
import Foundation
import ServiceTestSupport
import TestSupport
import Testing
@testable import LLMSocket

@Suite(.needsPeers) struct SocketIOPollingTests {
  private func client(
    _ peer: Peer, _ transports: SocketIOTransports
  ) throws -> SocketIOClient {
    SocketIOClient(
      SocketIOConfiguration(
        url: try #require(URL(string: "http://127.0.0.1:\(peer.port)")), transports: transports,
        reconnection: impatient), http: CurlTransport(offline: OfflineMode()))
  }

  @Test(arguments: [SocketIOTransports.polling, .pollingWithUpgrade])
  func `events are sent and received`(transports: SocketIOTransports) async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer, transports)
      var events = client.events().makeAsyncIterator()
      try await client.connect()
      #expect(try await peer.report("connected").hasPrefix("polling"))
      // Many at once, so that some are sent before, some during and some after the upgrade.
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<300 {
          group.addTask {
            try await client.request("echo", [.int(number)]).arguments == [.int(number)]
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      for number in 0..<50 { try await client.emit("say", [.int(number)]) }
      for number in 0..<50 {
        let event = try #require(await events.next())
        #expect(event.arguments == [.int(number)])
      }
      let bytes = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0) })
      let reply = try await client.request("reverse", [.attachment(0)], attachments: [bytes])
      #expect(reply.data(reply.arguments[0]) == Data(bytes.reversed()))
      await client.disconnect()
      _ = try await peer.report("disconnected")
    }
  }

  @Test func `the connection is upgraded to a WebSocket`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = try client(peer, .pollingWithUpgrade)
      try await client.connect()
      #expect(try await peer.report("upgraded") == "")
      #expect(try await client.request("echo", ["after"]).arguments == ["after"])
      await client.disconnect()
    }
  }

  @Test func `without a WebSocket polling continues`() async throws {
    try await Peer.with("socketio_server.py", [#"{"transports":["polling"]}"#]) { peer in
      let client = try client(peer, .pollingWithUpgrade)
      try await client.connect()
      for number in 0..<20 {
        #expect(try await client.request("echo", [.int(number)]).arguments == [.int(number)])
      }
      await client.disconnect()
    }
  }

  @Test func `a stopped server is detected`() async throws {
    let peer = try await Peer.start("socketio_server.py")
    let client = try client(peer, .polling)
    try await client.connect()
    let waiting = Task { try await client.request("hang", timeout: .seconds(60)) }
    _ = try await peer.report("hanging")
    await peer.stop()
    await #expect {
      try await waiting.value
    } throws: { error in
      if case SocketIOError.connectionLost = error { true } else { false }
    }
    try await Peer.with("socketio_server.py", [#"{"port":\#(peer.port)}"#]) { _ in
      try await client.connect()
      let reply = try await client.request("echo", ["back"])
      #expect(reply.arguments == ["back"])
      await client.disconnect()
    }
  }

  @Test func `a wrong path has its own error`() async throws {
    try await Peer.with("socketio_server.py") { peer in
      let client = SocketIOClient(
        SocketIOConfiguration(
          url: try #require(URL(string: "http://127.0.0.1:\(peer.port)")), path: "/elsewhere/",
          transports: .polling), http: CurlTransport(offline: OfflineMode()))
      await #expect(throws: SocketIOError.status(404)) { try await client.connect() }
    }
  }
}
