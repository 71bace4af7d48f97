import SpeechText

package struct VersionCommand: Command {
  package static let about = CommandDeclaration(
    name: "version", summary: "Show the version",
    discussion: "`speechkit doctor` shows the versions of the libraries.",
    examples: ["speechkit version --json": "{\"version\":\"…\"}"])

  @Flag("--json", help: "Write JSON: an object with “version”.") package var isJSON

  package init() {}

  package func run(on terminal: Terminal) async throws {
    let version = ToolkitVersion.current
    try await terminal.write(
      "speechkit \(version)\n", json: ["version": version], isJSON: isJSON)
  }
}
