import SpeechCommand
import SpeechTesting

struct ConfusionsCommand: Command {
  static let about = CommandDeclaration(
    name: "grammar confusions",
    summary: "Find the commands that are mistaken for others",
    discussion: """
      Many synthetic voices speak the sentences of a grammar over noise, and the recogniser hears
      them. The command reports the sentences that were mistaken for others with another meaning,
      the words that cause it, and what to do.

      If the grammar has more sentences than --sentences, a sample is spoken that contains as many
      of its words as possible. Of sentences that differ only in a number, a time or a day, three
      are spoken.

      --json writes an object with “grammar”, “sentences”, “isComplete”, “conditions”, “commands”,
      “confusions” (“said”, “heard”, “count”, “countsByLevel”, “changesMeaning”, “words”, “advice”),
      “words”, “levels” and “speakers”.
      """,
    examples: [
      "speechkit grammar confusions home.commands": "Print a table",
      "speechkit grammar confusions home.commands --html report.html":
        "Write a page with a heat map",
      "speechkit grammar confusions home.gram --voices 24 --noise clean,babble:10,babble:5":
        "Try a noisy room with many voices",
    ],
    exits: [
      .badData: "The grammar cannot be used.",
      .noInput: "The file is missing or cannot be read.",
      .unavailable: "There is no model for English, or a voice is missing.",
      .cannotCreate: "The page cannot be written.",
    ])

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var file: String
  var cast = CastOptions()
  var recognition = RecogniserOptions()
  var output = ReportOptions()

  func run(on terminal: Terminal) async throws {
    let grammar = try await GrammarCommands.load(file)
    try GrammarCommands.checkModel()
    try output.checkPage()
    let study = ConfusionStudy(
      grammar, conditions: cast.conditions, limit: cast.limit,
      recogniser: try recognition.name().text)
    let bar = ProgressBar(title: "Speaking and listening")
    let report = try await study.run { await terminal.showStatus(bar.text($0)) }
    try await output.write(report, text: report.text, page: { report.html }, on: terminal)
  }
}
