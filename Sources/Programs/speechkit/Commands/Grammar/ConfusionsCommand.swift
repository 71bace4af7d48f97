import SpeechTesting

/// `speechkit grammar confusions`: which commands of a grammar are mistaken for which.
struct ConfusionsCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "grammar confusions",
    summary: "Find the commands that are mistaken for others",
    discussion: [
      "Has the sentences of a grammar said by many synthetic voices over noise, recognises all of it, and tells "
        + "which were taken for others with another meaning, the words that cause it, and what to do.",
      "Of a grammar with more sentences than --sentences a sample is said that has each of its words as far as "
        + "possible; of sentences that differ only in a number, a time or a day three are said.",
      "With --json an object with “grammar”, “sentences”, “isComplete”, “conditions”, “commands”, "
        + "“confusions” (“said”, “heard”, “count”, “countsByLevel”, “changesMeaning”, “words”, “advice”), "
        + "“words”, “levels” and “speakers”.",
    ],
    examples: [
      .init("speechkit grammar confusions home.commands", "A table"),
      .init(
        "speechkit grammar confusions home.commands --html report.html", "A page with a heat map"),
      .init(
        "speechkit grammar confusions home.gram --voices 24 --noise clean,babble:10,babble:5",
        "In a noisy room, with many voices"),
    ],
    exits: [
      (.badData, "The grammar cannot be used."),
      (.noInput, "The file is missing or must not be read."),
      (.unavailable, "There is no model for English, or a voice is missing."),
      (.cannotCreate, "The page cannot be written."),
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
