import SpeechTesting

/// `speechkit grammar calibrate`: from which confidence on a grammar's sentences should be believed.
struct CalibrateGrammarCommand: Command {
  static let declaration = CommandDeclaration(
    name: "grammar calibrate",
    summary: "Find the confidence from which on to believe a grammar",
    discussion: [
      "Has sentences of the grammar and others (everyday English, commands of other programs, and near misses: "
        + "a wrong, a missing or an additional word) said by many synthetic voices over noise, and tells for "
        + "each threshold how much of the other speech would be believed and how many of the grammar's "
        + "sentences would not.",
      "The threshold that is recommended keeps false accepts of everyday English and of other programs' "
        + "commands to the share that is wanted. Near misses are counted by themselves: many can hardly be told "
        + "from a sentence of the grammar by ear.",
      "With --json an object with “recommended” (“value”, “falseAccepts”, “falseRejects”, "
        + "“acceptedNearMisses”; left out where there is none), “equalErrorRate” and “area” "
        + "(“value”, “interval”), “curve”, an array of such objects, “levels” (“name” and “curve”) and “report” with all that was said.",
    ],
    positionals: [GrammarCommands.file],
    options: [falseAccepts.declaration] + SpeakingOptions.declarations,
    examples: [
      .init("speechkit grammar calibrate home.commands", "Tables"),
      .init(
        "speechkit grammar calibrate home.commands --false-accepts 5 --html report.html",
        "More trusting, with the curves on a page"),
    ],
    exits: [
      (.badData, "The grammar cannot be used."),
      (.noInput, "The file is missing or must not be read."),
      (.unavailable, "There is no model for English, or a voice is missing."),
      (.cannotCreate, "The page cannot be written."),
    ])

  static let falseAccepts = ValueOption<Double>(
    "false-accepts", value: "PERCENT", in: 0...100,
    help: "How much of other speech may be believed, in percent; 2 unless given.")

  private struct Outcome: Encodable {
    struct Level: Encodable {
      var name: String
      var curve: [CalibrationReport.Threshold]
    }

    var recommended: CalibrationReport.Threshold?
    var equalErrorRate: Estimate
    var area: Estimate
    var curve: [CalibrationReport.Threshold]
    var levels: [Level]
    var report: CalibrationReport

    init(_ report: CalibrationReport, falseAccepts: Double) {
      self.report = report
      recommended = report.threshold(falseAccepts: falseAccepts)
      let whole = report.rejection()
      equalErrorRate = whole.equalErrorRate()
      area = whole.area()
      curve = whole.thresholds
      levels = report.conditions.levels.enumerated().map {
        Level(name: $1.name, curve: report.curve(level: $0))
      }
    }
  }

  private let file: String
  private let options: SpeakingOptions
  private let falseAccepts: Double

  init(_ arguments: ParsedArguments) throws {
    file = arguments.positionals[0]
    options = SpeakingOptions(arguments)
    falseAccepts = (arguments[Self.falseAccepts] ?? 2) / 100
  }

  func run(on terminal: Terminal) async throws {
    let grammar = try await GrammarCommands.load(file)
    try GrammarCommands.checkModel()
    try options.checkPage()
    let study = CalibrationStudy(
      grammar, conditions: options.conditions, limit: options.limit, preset: options.preset)
    let bar = ProgressBar(title: "Speaking and listening")
    let report = try await study.run { await terminal.showStatus(bar.text($0)) }
    try await options.write(
      Outcome(report, falseAccepts: falseAccepts), text: report.text(falseAccepts: falseAccepts),
      page: { report.html(falseAccepts: falseAccepts) }, on: terminal)
  }
}
