import SpeechText

package struct VersionCommand: Command {
  package static let about = CommandDeclaration(
    name: "version", summary: "Show the version",
    discussion: "`speechkit doctor` shows the versions of the libraries.",
    examples: ["speechkit version --json": "{\"version\":\"…\"}"])

  @Flag("--json", help: "Write JSON: an object with “version”.") package var isJSON

  package init() {}

  private struct Version: Encodable {
    var version: String
  }

  package func run(on terminal: Terminal) async throws {
    if isJSON {
      try await terminal.writeJSON(Version(version: ToolkitVersion.current))
    } else {
      try await terminal.writeLine("speechkit \(ToolkitVersion.current)")
    }
  }
}
