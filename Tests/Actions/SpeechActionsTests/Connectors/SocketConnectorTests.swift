import AIServices
import Foundation
import TestSupport
import Testing

@testable import SpeechActions

/// Connectors to LLM sockets, with servers of both dialects.
@Suite(
  .enabled(if: Peers.areExpected, "\(Peers.areMissing)"), .timeLimit(.minutes(20)))
struct SocketConnectorTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    var script: String
    var options = "{}"
    var testDescription: String { "\(script) \(options)" }

    static let all = [
      Setting(script: "socketio_server.py", options: #"{"matching":"id"}"#),
      Setting(script: "socketio_server.py", options: #"{"matching":"ack"}"#),
      Setting(script: "phoenix_server.py"),
    ]
  }

  private func connector(_ port: Int) -> Connector {
    Connector(
      id: "sock", kind: .llmSocket, baseURL: "ws://127.0.0.1:\(port)/socket", timeout: .seconds(20))
  }

  private func keys(_ key: String) async throws -> AICredentialManager {
    let keys = AICredentialManager()
    try await keys.store(
      credential: AICredential(providerID: "sock", type: .apiKey, name: "k"),
      value: SecureString(key))
    return keys
  }

  @Test(arguments: [#"{"transports":["polling"]}"#, "{}"])
  func `a server of Socket.IO is reached over HTTP requests`(options: String) async throws {
    try await Peer.with("socketio_server.py", [options]) { peer in
      var connector = connector(peer.port)
      connector.baseURL = "http://127.0.0.1:\(peer.port)/socket"
      let report = await ConnectorTest(credentials: AICredentialManager()).run(connector)
      #expect(report.verdict == .works, "\(report.message)")
      let connection = try await peer.report("connected")
      #expect(connection.hasPrefix("polling"))
    }
  }

  @Test(arguments: Setting.all)
  func `a socket passes the test, and answers runs and chats`(
    setting: Setting
  ) async throws {
    try await Peer.with(setting.script, [setting.options]) { peer in
      var connector = connector(peer.port)
      connector.model = "tiny"
      let test = ConnectorTest(credentials: AICredentialManager())
      let free = await test.run(connector, isFree: true)
      #expect(free.verdict == .works && free.answer == nil, "\(free.message)")
      let report = await test.run(connector)
      #expect(report.verdict == .works, "\(report.message)")
      #expect(report.answer == "<Answer with the word OK.>")

      let runner = ActionRunner(credentials: AICredentialManager())
      let outcome = await runner.run(.plain(), on: ActionInput("eins"), connectors: [connector])
        .outcome()
      #expect(outcome.answer?.text == "<Say: eins>", "\(String(describing: outcome.error))")
      connector.instructions = "Be kind."
      let chat = ActionRunner(credentials: AICredentialManager()).chat(with: connector)
      let reply = try await chat.reply(
        to: ChatRequest(messages: [.user("one"), .assistant("two"), .user("three")]))
      #expect(
        reply.text == "<System: Be kind.\nUser: one\nAssistant: two\nUser: three\nAssistant:>")
    }
  }

  @Test func `failures of a socket are diagnosed`() async throws {
    let test = ConnectorTest(credentials: AICredentialManager())
    let refused = await test.run(connector(9), isFree: true)
    #expect(refused.verdict == .refused, "\(refused.message)")
    var unknown = connector(9)
    unknown.baseURL = "ws://nowhere.invalid/socket"
    #expect(await test.run(unknown, isFree: true).verdict == .unknownHost)
    #expect(await test.run(unknown).verdict == .unknownHost)
  }

  @Test func `a wrong token is reported in both dialects`() async throws {
    try await Peer.with("phoenix_server.py", [#"{"token":"right"}"#]) { peer in
      var connector = connector(peer.port)
      connector.credential = "sock"
      let wrong = await ConnectorTest(credentials: try await keys("wrong")).run(connector)
      #expect(wrong.verdict == .key, "\(wrong.message)")
      let right = await ConnectorTest(credentials: try await keys("right")).run(connector)
      #expect(right.verdict == .works, "\(right.message)")
    }
    try await Peer.with("socketio_server.py", ["{}"]) { peer in
      var connector = connector(peer.port)
      connector.credential = "sock"
      let wrong = await ConnectorTest(credentials: try await keys("wrong")).run(connector)
      #expect(wrong.verdict == .key, "\(wrong.message)")
      let right = await ConnectorTest(credentials: try await keys("right")).run(connector)
      #expect(right.verdict == .works, "\(right.message)")
    }
  }
}
