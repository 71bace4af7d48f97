import SpeechCommand
import SpeechTesting

enum KeyPhraseCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "keyphrase",
      summary: "Tune key phrases",
      discussion: """
        `speechkit listen --keyphrase` finds a key phrase within other speech. The least confidence
        balances misses against false alarms.
        """,
      examples: [
        "speechkit keyphrase calibrate \"hey computer\"": "Find the least confidence for a phrase"
      ]),
    [.command(CalibrateKeyPhraseCommand.self)])
}

struct CalibrateKeyPhraseCommand: Command {
  static let about = CommandDeclaration(
    name: "keyphrase calibrate",
    summary: "Find the least confidence for a key phrase",
    discussion: """
      Many synthetic voices speak the phrase and other speech (everyday English, commands of other
      programs, and words that sound alike) over noise. The command reports, for each confidence,
      how often the phrase would be missed and how many false alarms an hour would have.

      The last line for each phrase can be used for --keyphrase of other commands and in a list of
      key phrases: the phrase, the library's threshold (usually left out), and the least confidence.

      Synthetic voices resemble each other more than people do, so expect at least as many misses.

      --json writes an array of objects with “phrase” (“text”, “minimumConfidence”; left out if no
      confidence suffices), “hours”, “recommended” and “curve” (“confidence”, “misses”,
      “falseAlarms”, “falseAlarmsPerHour”, “alikeHeard”).
      """,
    examples: [
      "speechkit keyphrase calibrate computer": "Print a table and a recommendation",
      "speechkit keyphrase calibrate \"hey computer\" jarvis --false-alarms 0.5 --engine both":
        "Tune two phrases with more voices",
    ],
    exits: [
      .badData: "A phrase cannot be recognised.",
      .unavailable: "There is no model for English, or a voice is missing.",
    ])

  @Argument("PHRASE", isRequired: true, help: "A phrase, as one argument.") var lines: [String]
  @Option(
    "--false-alarms", as: .number("COUNT", in: 0...3600),
    help: "The false alarms to allow in an hour of other speech. Default: 1.")
  var wanted = 1.0
  var cast = CastOptions()
  @Option(
    "--recogniser", as: .recogniser(in: .current),
    help: "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx. See `speechkit doctor`.")
  var recogniser: BackendName?
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws { _ = try phrases }

  private var phrases: [KeyPhrase] { get throws { try lines.map { try KeyPhrase(line: $0) } } }

  func run(on terminal: Terminal) async throws {
    try GrammarCommands.checkModel()
    var outcomes: [JSONRecord] = []
    let recogniser = try BackendName(recogniser, preset: nil, in: .current)
    for phrase in try phrases {
      let study = KeyPhraseStudy(
        phrase, conditions: cast.conditions, limit: cast.limit,
        recogniser: recogniser.text)
      let bar = ProgressBar(title: "Speaking and listening: \(phrase.text)")
      let report = try await study.run { await terminal.showStatus(bar.text($0)) }
      await terminal.showStatus("")
      let tuned = report.tuned(falseAlarmsPerHour: wanted).map { tuned -> JSONRecord in
        ["text": tuned.text, "minimumConfidence": tuned.minimumConfidence]
      }
      outcomes.append([
        "phrase": tuned, "hours": report.hours,
        "recommended": report.point(falseAlarmsPerHour: wanted), "curve": report.curve(),
      ])
      if !isJSON { try await terminal.write(report.text(falseAlarmsPerHour: wanted)) }
    }
    if isJSON { try await terminal.writeJSON(outcomes) }
  }
}
