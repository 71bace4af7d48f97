import SpeechTesting

/// `speechkit grammar`: the tools of those who write grammars.
enum GrammarCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "grammar",
      summary: "Check, try out and tune a grammar",
      discussion: [
        "A grammar is a file of templates (.commands) or JSGF (.jsgf, .gram).",
        "“confusions” and “calibrate” need no recordings: synthetic voices speak, and the recogniser hears "
          + "them. People vary more than these voices do, so take what they tell as a lower bound for trouble.",
      ],
      examples: [
        .init("speechkit grammar check home.commands", "Is it right? What is in it?"),
        .init(
          "speechkit grammar confusions home.commands --html report.html",
          "Which commands are mistaken for which?"),
      ]),
    [
      .command(CheckGrammarCommand.self), .command(TestGrammarCommand.self),
      .command(CalibrateGrammarCommand.self), .command(ConfusionsCommand.self),
    ])

  static let json = Flag("json", help: "Write JSON.")
  static let file = PositionalDeclaration(
    name: "FILE", count: .required, help: "The grammar, .commands, .jsgf or .gram.")

  /// The grammar in that file.
  ///
  /// - Throws: `CommandFailure`.
  static func load(_ path: String) async throws -> TestedGrammar {
    // Looked at first, so that a file that is not there and one that is wrong end differently.
    _ = try await TextInput().read(path: path)
    do {
      return try TestedGrammar(contentsOf: URL(filePath: path))
    } catch {
      throw CommandFailure(.badData, error.localizedDescription)
    }
  }

  /// The model of the language, or why there is none.
  ///
  /// - Throws: `CommandFailure`.
  static func checkModel() throws {
    do {
      _ = try PocketSphinxModel.find(for: Locale(identifier: "en-US"))
    } catch {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
  }
}
