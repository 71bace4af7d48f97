import Foundation
import SpeechKit

/// `speechkit model build`: makes a model of sentences and terms.
struct BuildModelCommand: ReflectedCommand {

  static let about = CommandDeclaration(
    name: "model build",
    summary: "Make a language model of sentences, with its dictionary",
    discussion: [
      "FILE has a sentence in each line, in UTF-8, as people write: capitals, punctuation and digits are made "
        + "what is said. Without one, --boost makes terms likelier in the general model.",
      "DIR gets model.lm.bin and model.dict for the recogniser, and model.lm, the same as an ARPA file for other "
        + "programs. Likelihoods are smoothed with modified Kneser-Ney, or Witten-Bell for chains that the text "
        + "has too few of.",
      "Words that the dictionary lacks get a pronunciation by themselves; they are told, and so are those that "
        + "nothing is known of, which the model then does not know. `speechkit words set` helps.",
      "With --json an object with “sentenceCount”, “wordCount”, “termCount”, “vocabulary”, “counts” (chains of "
        + "each length), “smoothing” (of each length), “madeUp” and “unpronounceable” (words).",
    ],
    examples: [
      .init("speechkit model build sentences.txt -o home", "Nothing but what is said in the app"),
      .init(
        "speechkit model build sentences.txt -o home --interpolate 0.3",
        "Other sentences may be said as well"),
      .init("speechkit model build --boost names.txt -o names", "The general model, and names"),
    ],
    exits: [
      (.badData, "There are no words in the text, or a line is too long."),
      (.noInput, "The text or the terms cannot be read."),
      (
        .unavailable,
        "There is no model of that language, or no general language model to mix with."
      ),
      (.cannotCreate, "DIR cannot be written."),
    ])

  @Argument("FILE", .input, help: "The sentences.") var sentences: String?
  @Option(
    "--output", "-o", as: .text("DIR", .output(.folder)),
    help: "The folder to write; it is made if need be.")
  var output: String?
  @Option(
    "--order", as: .count("N", in: 1...LanguageModel.mostOrder),
    help: "Chains of up to so many words, 1 to 4; 3 unless given.")
  var order: Int?
  @Option(
    "--interpolate", as: .number("SHARE", in: 0...1),
    help:
      "Mix with the general model: its share, 0 to 1. Without, only the sentences' words are heard."
  )
  var generalShare: Double?
  @Option(
    "--boost", as: .text("FILE", .input),
    help: "Make these terms likelier wherever they come, one in each line.")
  var terms: String?
  @Option(
    "--boost-share", as: .number("SHARE", in: 0...1),
    help: "How much of each likelihood the terms get, 0 to 1; 0.05 unless given.")
  var termShare: Double?
  @Option(
    "--minimum", as: .count("N", in: 1...1_000_000),
    help: "Drop the longest chains that occur less often; makes models smaller. 1 unless given.")
  var minimum: Int?
  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws {
    guard output != nil else {
      throw UsageError("Where is the model to go? Give a folder with -o.")
    }
    guard sentences != nil || terms != nil else {
      throw UsageError("Give a file with sentences, or terms with --boost.")
    }
    guard terms != nil || termShare == nil else {
      throw UsageError("--boost-share says how likely terms are. Give them with --boost.")
    }
  }

  private var plan: LanguageModelPlan {
    var plan = LanguageModelPlan(
      configuration: PocketSphinxConfiguration().withStandardPronunciations,
      locale: language.locale)
    plan.sentenceFiles = sentences.map { [URL(filePath: $0)] } ?? []
    plan.order = order ?? plan.order
    plan.generalShare = generalShare
    plan.termShare = termShare ?? plan.termShare
    if let minimum, plan.order > 1 {
      plan.leastCounts = Array(repeating: 1, count: plan.order - 1) + [minimum]
    }
    return plan
  }

  func run(on terminal: Terminal) async throws {
    var plan = plan
    _ = try RecognitionOptions.words(for: plan.locale)
    if plan.generalShare != nil || plan.sentenceFiles.isEmpty,
      try PocketSphinxModel.find(for: plan.locale).languageModel == nil
    {
      throw CommandFailure(
        .unavailable, "The model of that language has no language model to mix with.")
    }
    if let terms {
      plan.terms = try await TextInput().read(path: terms).split(whereSeparator: \.isNewline)
        .map(String.init)
    }
    await terminal.showStatus("Making the model …")
    let (made, folder) = (plan, URL(filePath: output ?? ""))
    let report = try await ModelCommands.outside { try made.build(in: folder) }
    await terminal.showStatus("")
    if isJSON {
      try await terminal.writeJSON(report)
    } else {
      try await terminal.write(Self.text(report, folder))
    }
    await tell(report, on: terminal)
  }

  private static func text(_ report: LanguageModelReport, _ folder: URL) -> String {
    var rows: [[String]] = []
    if report.sentenceCount > 0 {
      rows.append(["sentences", "\(report.sentenceCount), with \(report.wordCount) words"])
      rows.append(["smoothing", report.smoothing.map(\.rawValue).joined(separator: ", ")])
    }
    if report.termCount > 0 { rows.append(["terms", String(report.termCount)]) }
    rows.append(["vocabulary", "\(report.vocabulary) words"])
    rows.append(["chains", report.counts.map { String($0) }.joined(separator: ", ")])
    rows.append(["model", folder.path])
    return TextTable(rows).text
  }

  private func tell(_ report: LanguageModelReport, on terminal: Terminal) async {
    func some(_ words: [String]) -> String {
      let shown = words.prefix(20).joined(separator: ", ")
      return words.count > 20 ? shown + " and \(words.count - 20) more" : shown
    }
    if !report.madeUp.isEmpty {
      await terminal.note(
        "The dictionary lacks \(report.madeUp.count) words, whose pronunciation was made up: "
          + "\(some(report.madeUp)).\n`speechkit words explain WORD` shows it.")
    }
    if !report.unpronounceable.isEmpty {
      await terminal.note(
        "The model does not know \(report.unpronounceable.count) words that nobody knows how to say: "
          + "\(some(report.unpronounceable)).\nTell it with `speechkit words set WORD PHONES`, and build again."
      )
    }
  }
}
