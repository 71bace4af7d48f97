import SpeechCommand
import SpeechTesting

struct CalibrateGrammarCommand: Command {
  static let about = CommandDeclaration(
    name: "grammar calibrate",
    summary: "Find the confidence from which to accept a grammar's sentences",
    discussion: """
      Many synthetic voices speak sentences of the grammar and other speech over noise: everyday
      English, commands of other programs, and near misses with a wrong, a missing or an additional
      word. The command reports, for each threshold, how much of the other speech would be accepted
      and how many sentences of the grammar would be rejected.

      The recommended threshold keeps false accepts of everyday English and of other programs'
      commands below the share that you allow. Near misses are counted separately, because many of
      them can hardly be distinguished by ear from a sentence of the grammar.

      --json writes an object with “recommended” (“value”, “falseAccepts”, “falseRejects”,
      “acceptedNearMisses”; left out if there is none), “equalErrorRate” and “area” (“value”,
      “interval”), “curve”, an array of such objects, “levels” (“name” and “curve”) and “report”
      with every utterance.
      """,
    examples: [
      "speechkit grammar calibrate home.commands": "Print tables",
      "speechkit grammar calibrate home.commands --false-accepts 5 --html report.html":
        "Accept more, and write a page with the curves",
    ],
    exits: [
      .badData: "The grammar cannot be used.",
      .noInput: "The file is missing or cannot be read.",
      .unavailable: "There is no model for English, or a voice is missing.",
      .cannotCreate: "The page cannot be written.",
    ])

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var file: String
  @Option(
    "--false-accepts", as: .number("PERCENT", in: 0...100),
    help: "The share of other speech that may be accepted, in percent. Default: 2.")
  var percent = 2.0
  var cast = CastOptions()
  var recognition = RecogniserOptions()
  var output = ReportOptions()

  private static func record(_ report: CalibrationReport, falseAccepts: Double) -> JSONRecord {
    let whole = report.rejection()
    let levels = report.conditions.levels.enumerated().map { index, level -> JSONRecord in
      ["name": level.name, "curve": report.rejection(level: index).thresholds]
    }
    return [
      "recommended": report.threshold(falseAccepts: falseAccepts),
      "equalErrorRate": whole.equalErrorRate(), "area": whole.area(), "curve": whole.thresholds,
      "levels": levels, "report": report,
    ]
  }

  func run(on terminal: Terminal) async throws {
    let grammar = try await GrammarCommands.load(file)
    try GrammarCommands.checkModel()
    try output.checkPage()
    let study = CalibrationStudy(
      grammar, conditions: cast.conditions, limit: cast.limit,
      recogniser: try recognition.name().text)
    let bar = ProgressBar(title: "Speaking and listening")
    let report = try await study.run { await terminal.showStatus(bar.text($0)) }
    let falseAccepts = percent / 100
    try await output.write(
      Self.record(report, falseAccepts: falseAccepts),
      text: report.text(falseAccepts: falseAccepts),
      page: { report.html(falseAccepts: falseAccepts) }, on: terminal)
  }
}
