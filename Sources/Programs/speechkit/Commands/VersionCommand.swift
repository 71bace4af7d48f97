import SpeechKit

/// `speechkit version`
struct VersionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "version", summary: "Show the version",
    discussion: ["The versions of the libraries below are shown by `speechkit doctor`."],
    options: [json.declaration],
    examples: [.init("speechkit version --json", "{\"version\":\"…\"}")])

  static let json = Flag("json", help: "Write JSON: an object with “version”.")

  private struct Version: Encodable {
    var version: String
  }

  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    isJSON = arguments[Self.json]
  }

  func run(on terminal: Terminal) async throws {
    if isJSON {
      try await terminal.writeJSON(Version(version: CommandLineTool.version))
    } else {
      try await terminal.writeLine("speechkit \(CommandLineTool.version)")
    }
  }
}
