import SpeechTesting

/// `speechkit grammar calibrate`: from which confidence on a grammar's sentences should be believed.
struct CalibrateGrammarCommand: ReflectedCommand {
  static let about = CommandDeclaration(
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

  @Argument("FILE", .input, help: "The grammar, .commands, .jsgf or .gram.") var file: String
  @Option(
    "--false-accepts", as: .number("PERCENT", in: 0...100),
    help: "How much of other speech may be believed, in percent; 2 unless given.")
  var percent = 2.0
  var cast = CastOptions()
  var recognition = RecogniserOptions()
  var output = ReportOptions()

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
      Outcome(report, falseAccepts: falseAccepts), text: report.text(falseAccepts: falseAccepts),
      page: { report.html(falseAccepts: falseAccepts) }, on: terminal)
  }
}
