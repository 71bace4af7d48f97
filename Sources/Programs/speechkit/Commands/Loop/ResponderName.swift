import Foundation
import SpeechCommand
import SpeechKit

#if Cloud
import SpokenActions
#endif

/// The responder of a loop, as the command line names it.
enum ResponderName: Sendable, Equatable {
  case echo
  case script(path: String)
  #if Cloud
  case service(ServiceResponderName)
  #endif

  /// - Throws: `UsageError`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    let rest = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
    switch (parts.first, rest) {
    case ("echo", nil): self = .echo
    case ("script", let path?): self = .script(path: path)
    default:
      #if Cloud
      self = .service(try ServiceResponderName(text))
      #else
      throw UsageError("--responder takes echo or script:FILE, not “\(text)”")
      #endif
    }
  }

  /// The name by which it can be chosen again, without secrets in addresses.
  var text: String {
    switch self {
    case .echo: "echo"
    case .script(let path): "script:\(path)"
    #if Cloud
    case .service(let service): service.text
    #endif
    }
  }

  /// True if the replies can be in a language of the user's choice.
  var hasLanguage: Bool {
    #if Cloud
    if case .service(.action) = self { return true }
    #endif
    return false
  }

  /// Creates the responder.
  ///
  /// - Parameters:
  ///   - source: the language that is heard, for actions.
  ///   - target: the language that they answer in; `nil` for the actions' own.
  /// - Throws: `CommandFailure` for a script that cannot be read; `ActionError`.
  func makeResponder(
    systemPrompt: String?, from source: String, to target: String?, clock: any DeviceClock
  ) async throws -> any Responder {
    switch self {
    case .echo: return EchoResponder()
    #if Cloud
    case .service(let service):
      return try await service.makeResponder(systemPrompt: systemPrompt, from: source, to: target)
    #endif
    case .script(let path):
      let lines = try await TextInput().read(path: path)
        .split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      guard !lines.isEmpty else {
        throw CommandFailure(.badData, "“\(path)” has no reply. Write one on each line.")
      }
      return ScriptedResponder(lines.map { .init(stringLiteral: $0) }, clock: clock)
    }
  }

  /// The code of a language by which voices are found; `nil` where none is known for the name.
  static func languageCode(_ name: String) -> String? {
    #if Cloud
    return LanguageName(name).code
    #else
    return nil
    #endif
  }

  /// The grammar of what such a responder understands; `nil` for anything.
  func grammar() async throws -> String? {
    #if Cloud
    if case .service(.actions) = self { return try await ServiceResponderName.actionGrammar() }
    #endif
    return nil
  }
}
