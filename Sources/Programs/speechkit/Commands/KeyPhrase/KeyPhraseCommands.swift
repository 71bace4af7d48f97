import SpeechTesting

/// `speechkit keyphrase`: the tools of those who wait for a phrase.
enum KeyPhraseCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "keyphrase",
      summary: "Tune the phrases that are waited for",
      discussion: """
        A key phrase is heard in the midst of other speech, by `speechkit listen --keyphrase`. How
        sure the recogniser has to be weighs misses against false alarms.
        """,
      examples: [
        .init("speechkit keyphrase calibrate \"hey computer\"", "What should be demanded of it?")
      ]),
    [.command(CalibrateKeyPhraseCommand.self)])
}

/// `speechkit keyphrase calibrate`: how sure one should be of having heard a phrase.
struct CalibrateKeyPhraseCommand: Command {
  static let about = CommandDeclaration(
    name: "keyphrase calibrate",
    summary: "Find how sure to be of having heard a phrase",
    discussion: """
      Has the phrase and other speech (everyday English, commands of other programs, and words that
      sound alike) said by many synthetic voices over noise, and tells for each confidence how often
      the phrase would be missed and how often in an hour it would be heard by mistake.

      The last line for each phrase is what --keyphrase of other commands takes, and a line of a
      list of key phrases: the phrase, the library's threshold (mostly left out), and the least
      confidence.

      Synthetic voices resemble each other more than people do: take the misses as a lower bound.

      With --json an array of objects with “phrase” (“text”, “minimumConfidence”; left out where
      nothing will do), “hours”, “recommended” and “curve” (“confidence”, “misses”, “falseAlarms”,
      “falseAlarmsPerHour”, “alikeHeard”).
      """,
    examples: [
      .init("speechkit keyphrase calibrate computer", "A table and a recommendation"),
      .init(
        "speechkit keyphrase calibrate \"hey computer\" jarvis --false-alarms 0.5 --engine both",
        "Two phrases, with more voices"),
    ],
    exits: [
      (.badData, "A phrase cannot be listened for."),
      (.unavailable, "There is no model for English, or a voice is missing."),
    ])

  @Argument("PHRASE", isRequired: true, help: "A phrase, as one argument.") var lines: [String]
  @Option(
    "--false-alarms", as: .number("COUNT", in: 0...3600),
    help: "The false alarms to allow in an hour of other speech. Default: 1.")
  var wanted = 1.0
  var cast = CastOptions()
  @Option(
    "--recogniser", as: .recogniser,
    help: "The recogniser, NAME[:MODEL][@URL]. Default: pocketsphinx. See `speechkit doctor`.")
  var recogniser: BackendName?
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws { _ = try phrases }

  private var phrases: [KeyPhrase] { get throws { try lines.map { try KeyPhrase(line: $0) } } }

  private struct Outcome: Encodable {
    var phrase: KeyPhraseLine?
    var hours: Double
    var recommended: KeyPhraseReport.Point?
    var curve: [KeyPhraseReport.Point]
  }

  private struct KeyPhraseLine: Encodable {
    var text: String
    var minimumConfidence: Float?
  }

  func run(on terminal: Terminal) async throws {
    try GrammarCommands.checkModel()
    var outcomes: [Outcome] = []
    let recogniser = try BackendName(recogniser, preset: nil)
    for phrase in try phrases {
      let study = KeyPhraseStudy(
        phrase, conditions: cast.conditions, limit: cast.limit,
        recogniser: recogniser.text)
      let bar = ProgressBar(title: "Speaking and listening: \(phrase.text)")
      let report = try await study.run { await terminal.showStatus(bar.text($0)) }
      await terminal.showStatus("")
      let tuned = report.tuned(falseAlarmsPerHour: wanted)
      outcomes.append(
        Outcome(
          phrase: tuned.map {
            KeyPhraseLine(text: $0.text, minimumConfidence: $0.minimumConfidence)
          },
          hours: report.hours, recommended: report.point(falseAlarmsPerHour: wanted),
          curve: report.curve()))
      if !isJSON { try await terminal.write(report.text(falseAlarmsPerHour: wanted)) }
    }
    if isJSON { try await terminal.writeJSON(outcomes) }
  }
}
