#if Cloud
import AIServices
import SpeechActions
import SpeechCommand

struct ActionOptions: OptionGroup {
  var fields: FieldOptions<TextAction>
  @Option(
    "--prompt-file", as: .text("FILE", .input),
    help: "A file with the prompt; “-” is standard input.")
  var promptPath: String?

  init() { self.init(removes: false) }

  /// - Parameter removes: True to add `--unset`, which removes values.
  init(removes: Bool) { fields = FieldOptions(removes: removes) }

  func validate() throws {
    guard promptPath == nil || !fields.has("prompt") else {
      throw UsageError("Give either --prompt or --prompt-file, not both.")
    }
  }

  /// Returns the change that the options describe, after reading the files that they name.
  func change() async throws -> @Sendable (inout TextAction) throws -> Void {
    var prompt: String?
    if let promptPath { prompt = try await TextInput().read(TextSource(path: promptPath)) }
    var schema: SendableValue?
    if let path = fields.schemaPath { schema = try await Self.schema(at: path) }
    return { [fields, prompt, schema] action in
      try fields.apply(to: &action, schema: schema)
      if let prompt { action.prompt = prompt }
    }
  }

  private static func schema(at path: String) async throws -> SendableValue {
    let text = try await TextInput().read(path: path)
    do throws(FieldError) {
      return try FieldType.json.value(of: text)
    } catch {
      throw CommandFailure(
        .badData, "“\(path)” is not a JSON schema. It must contain a JSON object.")
    }
  }
}
#endif
