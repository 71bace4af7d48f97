import ServiceDownloads
import SpeechCommand
import SpeechKit

struct RemoveEngineCommand: Command {
  static let about = CommandDeclaration(
    name: "engines remove",
    summary: "Remove an installed library or model",
    discussion: """
      Removes the files from your own folder, and what was downloaded of them. Files in folders of
      the system, or in that of SPEECHKIT_WHISPER, are not touched.
      """,
    examples: ["speechkit engines remove whisper:tiny.en": "Remove a model"],
    exits: [
      .unavailable: "A file is not installed in your folder.",
      .cannotCreate: "A file cannot be removed.",
    ])

  @Argument(
    "NAME", .choices(OfferedFile.names), isRequired: true,
    help: "The names of files, as `speechkit engines` lists them.")
  var names: [String]

  func validate() throws { _ = try files }

  private var files: [OfferedFile] {
    get throws { try names.map { name throws(UsageError) in try OfferedFile.named(name) } }
  }

  func run(on terminal: Terminal) async throws {
    var missing: [String] = []
    for offered in try files {
      if let path = try await FileInstaller().remove(offered.file, from: offered.folder) {
        await terminal.note("“\(path)” is removed.")
      } else {
        missing.append(
          "“\(offered.file.name)”" + (offered.installed.map { " (but in “\($0.path)”)" } ?? ""))
      }
    }
    guard missing.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "Your folder does not have \(missing.joined(separator: ", ")). `speechkit engines` lists "
          + "what is installed.")
    }
  }
}
