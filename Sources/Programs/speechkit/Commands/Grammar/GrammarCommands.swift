import SpeechCommand
import SpeechTesting

enum GrammarCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "grammar",
      summary: "Check, test and tune a grammar",
      discussion: """
        A grammar is a file of templates (.commands) or JSGF (.jsgf, .gram).

        “confusions” and “calibrate” need no recordings: synthetic voices speak, and the recogniser
        hears them. People vary more than these voices, so expect at least the trouble that they
        report.
        """,
      examples: [
        "speechkit grammar check home.commands": "Check and summarise a grammar",
        "speechkit grammar confusions home.commands --html report.html":
          "Find commands that are mistaken for others",
      ]),
    [
      .command(CheckGrammarCommand.self), .command(TestGrammarCommand.self),
      .command(CalibrateGrammarCommand.self), .command(ConfusionsCommand.self),
    ])

  /// Loads the grammar in a file.
  static func load(_ path: String) async throws -> TestedGrammar {
    // Read first, so that a missing file and a broken grammar have different exit codes.
    _ = try await TextInput().read(path: path)
    return try TestedGrammar(contentsOf: URL(filePath: path))
  }

  /// Checks that there is a model for a language.
  static func checkModel(for locale: Locale = Locale(identifier: "en-US")) throws(CommandFailure) {
    try CommandFailure.reporting(.unavailable) { _ = try PocketSphinxModel.find(for: locale) }
  }
}
