import Foundation
import SpeechActions
import SpeechKit

/// The options that describe an action.
struct ActionOptions: Sendable {
  static let promptFile = ValueOption<String>(
    "prompt-file", value: "FILE", help: "A file with the prompt; “-” is standard input.",
    hint: .input)

  static let declarations = FieldOptions<TextAction>.declarations + [promptFile.declaration]
  static let unset = FieldOptions<TextAction>.unset

  private let options: FieldOptions<TextAction>
  private let promptPath: String?

  /// True if none of the options was given.
  var isEmpty: Bool { options.isEmpty && promptPath == nil }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = FieldOptions(arguments)
    promptPath = arguments[Self.promptFile]
    let prompt = FieldOptions<TextAction>.declarations.first { $0.name == "prompt" }
    if promptPath != nil, let prompt, arguments.has(prompt) {
      throw UsageError("Give either --prompt or --prompt-file, not both.")
    }
  }

  /// Returns the change that the options describe, after reading the files that they name.
  ///
  /// - Throws: `CommandFailure` for a file that cannot be read.
  func change() async throws -> @Sendable (inout TextAction) throws -> Void {
    let prompt = try await promptPath.asyncMap(Self.text)
    let schema = try await options.schemaPath.asyncMap(Self.schema)
    return { [options] action in
      try options.apply(to: &action, schema: schema)
      if let prompt { action.prompt = prompt }
    }
  }

  private static func text(at path: String) async throws -> String {
    path == "-"
      ? try await TextInput().readStandardInput() : try await TextInput().read(path: path)
  }

  private static func schema(at path: String) async throws -> FieldValue {
    let text = try await TextInput().read(path: path)
    do throws(FieldError) {
      return try FieldType.json.value(of: text)
    } catch {
      throw CommandFailure(.badData, "“\(path)” is not a JSON schema. It must hold a JSON object.")
    }
  }
}

extension Optional {
  fileprivate func asyncMap<Result>(
    _ transform: (Wrapped) async throws -> Result
  ) async rethrows -> Result? {
    guard let value = self else { return nil }
    return try await transform(value)
  }
}
