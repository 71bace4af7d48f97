import SpeechTesting

/// `speechkit grammar check`: what is wrong with a grammar, or what is in it.
struct CheckGrammarCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "grammar check",
    summary: "Tell what is wrong with a grammar, or what is in it",
    discussion: [
      "Problems are written as “FILE:LINE:COLUMN: what is wrong and what to do”; of templates all of them, of "
        + "JSGF the first. Without problems there is a summary: the intents, how many sentences there are, how "
        + "deep phrases are nested, the words, the slots, and the words whose pronunciation was made up.",
      "With --json an object with “problems” (“file”, “line”, “column”, “message”), “summary” (“name”, "
        + "“intents”, “slots”, “sentences”, “depth”, “wordCount”, “madeWords”; left out if there are problems) "
        + "and “sentences”.",
    ],
    examples: [
      .init("speechkit grammar check home.commands", "Is it right?"),
      .init("speechkit grammar check home.commands --sentences 20", "With the first sentences"),
    ],
    exits: [
      (.badData, "The grammar cannot be used; what is wrong is on standard output."),
      (.noInput, "The file is missing or must not be read."),
      (.unavailable, "There is no model to look up words in."),
    ])

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var file: String
  @Option("--sentences", as: .count(in: 1...1_000_000), help: "List so many sentences.") var count =
    0
  @Flag("--json", help: "Write JSON.") var isJSON

  private struct Report: Encodable {
    var problems: [GrammarProblems.Problem] = []
    var summary: GrammarSummary?
    var sentences: [String] = []
  }

  func run(on terminal: Terminal) async throws {
    _ = try await TextInput().read(path: file)
    try GrammarCommands.checkModel()
    var report = Report()
    if let grammar = load(&report) {
      report.summary = try GrammarSummary(grammar)
      report.sentences = try grammar.commands.sentences(limit: count)
    }
    if isJSON {
      try await terminal.writeJSON(report)
    } else {
      let problems = report.problems.map { $0.description + "\n" }.joined()
      let sentences = report.sentences.map { $0 + "\n" }.joined()
      let blank = sentences.isEmpty ? "" : "\n"
      try await terminal.write(problems + (report.summary?.text ?? "") + blank + sentences)
    }
    guard report.problems.isEmpty else { throw CommandFailure(.badData) }
  }

  /// The grammar, or `nil` and what is wrong with it.
  private func load(_ report: inout Report) -> TestedGrammar? {
    do {
      return try TestedGrammar(contentsOf: URL(filePath: file))
    } catch {
      report.problems = error.problems
      return nil
    }
  }
}
