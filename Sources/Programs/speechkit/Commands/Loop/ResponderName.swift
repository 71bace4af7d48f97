import SpeechCommand
import SpeechKit

/// The responder of a loop, as the command line names it.
struct ResponderName: Sendable {
  /// The conversation that the responder takes part in.
  struct Conversation: Sendable {
    var systemPrompt: String?
    /// The language that is heard, for actions.
    var source: String
    /// The language that actions answer in; `nil` for their own.
    var target: String?
    var clock: any DeviceClock
  }

  /// The name by which it can be chosen again, without secrets in addresses.
  let text: String
  /// True if the replies can be in a language of the user's choice.
  var hasLanguage = false
  /// Writes the grammar of what the responder understands; `nil` for anything.
  var grammar: @Sendable () async throws -> String? = { nil }
  let makeResponder: @Sendable (Conversation) async throws -> any Responder

  static let echo = ResponderName(text: "echo") { _ in EchoResponder() }

  static func script(path: String) -> ResponderName {
    ResponderName(text: "script:\(path)") { conversation in
      let lines = try await TextInput().readLines(path: path)
      guard !lines.isEmpty else {
        throw CommandFailure(.badData, "“\(path)” has no reply. Write one on each line.")
      }
      return ScriptedResponder(
        lines.map { .init(stringLiteral: $0) }, clock: conversation.clock)
    }
  }

  /// Finds the responder with a name such as `script:FILE`.
  static func named(_ text: String) throws(UsageError) -> ResponderName {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count == 2 ? parts[1] : nil) {
    case ("echo", nil): return .echo
    case ("script", let path?): return .script(path: path)
    case (let kind, let rest):
      #if Cloud
      if let service = try service(kind ?? "", rest) { return service }
      throw UsageError(
        "--responder takes echo, local, openai[:MODEL], anthropic[:MODEL], connector:NAME, "
          + "action:NAME, actions, socket:URL or script:FILE, not “\(text)”")
      #else
      throw UsageError("--responder takes echo or script:FILE, not “\(text)”")
      #endif
    }
  }
}
