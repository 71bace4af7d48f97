import AIServiceTesting
import Foundation
import SpeechKit
import Testing

/// A home folder for the tool, and a local server with OpenAI's interface.
struct ActionWorkshop: Sendable {
  static let chatPath = "/v1/chat/completions"

  let workshop: Workshop
  let server: LoopbackServer

  init() throws {
    workshop = try Workshop()
    server = try LoopbackServer()
    server.reply(to: "/v1/models") { _ in .json(#"{"data":[{"id":"small"},{"id":"large"}]}"#) }
  }

  func clear() {
    server.stop()
    workshop.clear()
  }

  var baseURL: String { server.url("/v1").absoluteString }

  /// The configuration file of actions and connectors.
  var file: String { workshop.path("config/speechkit/actions.toml") }

  func fileText() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  func tool(_ arguments: [String], _ environment: [String: String] = [:]) -> Tool {
    var tool = Tool(arguments)
    let keys = ProcessInfo.processInfo.environment.keys.filter { $0.hasSuffix("_API_KEY") }
    tool.environment = Dictionary(uniqueKeysWithValues: keys.map { ($0, "") })
      .merging([
        "XDG_CONFIG_HOME": workshop.path("config"), "XDG_STATE_HOME": workshop.path("state"),
        "XDG_DATA_HOME": workshop.path("data"), "XDG_CACHE_HOME": workshop.path("cache"),
        "HOME": workshop.folder.path,
        "DBUS_SESSION_BUS_ADDRESS": "", "CREDENTIALS_DIRECTORY": "", "WAYLAND_DISPLAY": "",
        "DISPLAY": "", "EDITOR": "", "VISUAL": "", "LANG": "en_GB.UTF-8", "TERM": "dumb",
      ]) { $1 }
      .merging(environment) { $1 }
    return tool
  }

  func run(
    _ arguments: String..., saying input: String = "", with environment: [String: String] = [:]
  ) async throws -> Tool.Outcome {
    var tool = tool(arguments, environment)
    tool.input = Data(input.utf8)
    return try await tool.run()
  }

  /// Adds a connector for the server with the tool.
  func addConnector(_ name: String, _ more: String...) async throws {
    let added = try await tool(["connectors", "add", name, "--base-url", baseURL] + more).run()
    try #require(added.status == 0, "\(added.errors)")
  }

  /// A streamed answer with its token counts.
  static func answer(_ pieces: [String], before end: [ScriptedReply.Step] = []) -> ScriptedReply {
    .events(
      pieces.map { chunk(["content": $0]) } + end + [
        chunk([:], finish: "stop"),
        .send(
          """
          data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],\
          "usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}\n\n
          """), .send("data: [DONE]\n\n"),
      ])
  }

  static func chunk(_ delta: [String: String], finish: String? = nil) -> ScriptedReply.Step {
    let encoder = JSONEncoder()
    let text = (try? encoder.encode(delta)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    let end = finish.map { "\"\($0)\"" } ?? "null"
    return .send(
      """
      data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[\
      {"index":0,"delta":\(text),"finish_reason":\(end)}]}\n\n
      """)
  }

  /// The messages of a request to the model, one after the other.
  static func words(of request: RecordedRequest) throws -> [String] {
    let body = try JSONDecoder().decode(SendableValue.self, from: request.body)
    return (body.dictionaryValue?["messages"]?.arrayValue ?? []).compactMap {
      $0.dictionaryValue?["content"]?.stringValue
    }
  }
}
