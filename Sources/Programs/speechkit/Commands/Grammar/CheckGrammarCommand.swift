import SpeechCommand
import SpeechTesting

struct CheckGrammarCommand: Command {
  static let about = CommandDeclaration(
    name: "grammar check",
    summary: "Report the problems of a grammar, or summarise it",
    discussion: """
      Problems are printed as “FILE:LINE:COLUMN: what is wrong and what to do”: all of them for
      templates, the first one for JSGF. Without problems the command prints a summary: the intents,
      the number of sentences, the depth of nested phrases, the words, the slots, and the words with
      a derived pronunciation.

      --json writes an object with “problems” (“file”, “line”, “column”, “message”), “summary”
      (“name”, “intents”, “slots”, “sentences”, “depth”, “wordCount”, “madeWords”; left out if there
      are problems) and “sentences”.
      """,
    examples: [
      "speechkit grammar check home.commands": "Check a grammar",
      "speechkit grammar check home.commands --sentences 20": "List the first sentences as well",
    ],
    exits: [
      .badData: "The grammar has problems; they are on standard output.",
      .noInput: "The file is missing or cannot be read.",
      .unavailable: "There is no model for English.",
    ])

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var file: String
  @Option("--sentences", as: .count(in: 1...1_000_000), help: "List up to this many sentences.")
  var count = 0
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    _ = try await TextInput().read(path: file)
    try GrammarCommands.checkModel()
    var problems: [FileDiagnostic] = []
    var summary: GrammarSummary?
    var sentences: [String] = []
    do {
      let grammar = try TestedGrammar(contentsOf: URL(filePath: file))
      summary = try GrammarSummary(grammar)
      sentences = try grammar.commands.sentences(limit: count)
    } catch let error as GrammarFileError {
      problems = error.diagnostics
    }
    let text =
      problems.map { "\($0)\n" }.joined() + (summary?.text ?? "")
      + (sentences.isEmpty ? "" : "\n") + sentences.map { $0 + "\n" }.joined()
    let record: JSONRecord = [
      "problems": problems, "summary": summary, "sentences": sentences,
    ]
    try await terminal.write(text, json: record, isJSON: isJSON)
    guard problems.isEmpty else { throw CommandFailure(.badData) }
  }
}
