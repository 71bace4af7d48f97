import SpeechCommand
import SpeechKit
import SpeechLanguageModels

struct BuildModelCommand: Command {

  static let about = CommandDeclaration(
    name: "model build",
    summary: "Build a language model and its dictionary from sentences",
    discussion: """
      FILE has one sentence in each line, in UTF-8 and normal spelling: capitals, punctuation and
      digits are converted to spoken words. Without FILE, --boost makes terms likelier in the
      general model.

      DIR gets model.lm.bin and model.dict for the recogniser, and model.lm, the same model as an
      ARPA file for other programs. Probabilities are smoothed with modified Kneser-Ney, or with
      Witten-Bell for n-grams that are too rare in the text. A model in DIR is replaced as a whole,
      even if the command is killed; manifest.json proves that its files belong together.

      Words that are missing from the dictionary get a derived pronunciation. The command lists
      them, and also the words without any pronunciation, which the model leaves out; `speechkit
      words set` adds them.

      --json writes an object with “sentenceCount”, “wordCount”, “termCount”, “vocabulary”, “counts”
      (n-grams of each length), “smoothing” (of each length), “derived” and “unpronounceable”
      (words).
      """,
    examples: [
      "speechkit model build sentences.txt -o home": "Only the sentences of your app",
      "speechkit model build sentences.txt -o home --interpolate 0.3":
        "Allow other sentences as well",
      "speechkit model build --boost names.txt -o names": "The general model with names",
    ],
    exits: [
      .badData: "The text contains no words, or a line is too long.",
      .noInput: "The text or the terms cannot be read.",
      .unavailable: "There is no model for the language, or no general language model to mix with.",
      .cannotCreate: "DIR cannot be written.",
    ])

  @Argument("FILE", .input, help: "The sentences.") var sentences: String?
  @Option(
    "--output", "-o", as: .text("DIR", .output(.folder)),
    help: "The folder to write; it is created if needed.")
  var output: String?
  @Option(
    "--order", as: .count("N", in: 1...LanguageModel.mostOrder),
    help: "The longest n-gram in words, 1 to 4. Default: 3.")
  var order: Int?
  @Option(
    "--interpolate", as: .number("SHARE", in: 0...1),
    help:
      "Mix with the general model: its share, 0 to 1. Without it, only words of the sentences are "
      + "recognised.")
  var generalShare: Double?
  @Option(
    "--boost", as: .text("FILE", .input),
    help: "Make these terms likelier in any context, one in each line.")
  var terms: String?
  @Option(
    "--boost-share", as: .number("SHARE", in: 0...1),
    help: "The share of probability for the terms, 0 to 1. Default: 0.05.")
  var termShare: Double?
  @Option(
    "--minimum", as: .count("N", in: 1...1_000_000),
    help: "Drop the longest n-grams that occur less often, for smaller models. Default: 1.")
  var minimum: Int?
  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws {
    guard output != nil else {
      throw UsageError("There is no output folder. Name one with -o.")
    }
    guard sentences != nil || terms != nil else {
      throw UsageError("There are no sentences. Name a file, or give terms with --boost.")
    }
    guard terms != nil || termShare == nil else {
      throw UsageError("--boost-share needs terms. Give them with --boost.")
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
        .unavailable, "The model for the language has no language model to mix with.")
    }
    if let terms {
      plan.terms = try await TextInput().read(path: terms).split(whereSeparator: \.isNewline)
        .map(String.init)
    }
    await terminal.showStatus("Building the model …")
    let (made, folder) = (plan, URL(filePath: output ?? ""))
    let report = try await ModelCommands.outside { try made.build(in: folder) }
    await terminal.showStatus("")
    try await terminal.write(Self.text(report, folder), json: report, isJSON: isJSON)
    await note(report, on: terminal)
  }

  private static func text(_ report: LanguageModelReport, _ folder: URL) -> String {
    var rows: [[String]] = []
    if report.sentenceCount > 0 {
      rows.append(["sentences", "\(report.sentenceCount), with \(report.wordCount) words"])
      rows.append(["smoothing", report.smoothing.map(\.rawValue).joined(separator: ", ")])
    }
    if report.termCount > 0 { rows.append(["terms", String(report.termCount)]) }
    rows.append(["vocabulary", "\(report.vocabulary) words"])
    rows.append(["n-grams", report.counts.map { String($0) }.joined(separator: ", ")])
    rows.append(["model", folder.path])
    return TextTable(rows).text
  }

  private func note(_ report: LanguageModelReport, on terminal: Terminal) async {
    func some(_ words: [String]) -> String {
      let shown = words.prefix(20).joined(separator: ", ")
      return words.count > 20 ? shown + " and \(words.count - 20) more" : shown
    }
    if !report.derived.isEmpty {
      await terminal.note(
        "The pronunciation of \(report.derived.count) words is derived, because they are missing "
          + "from the dictionary: \(some(report.derived)).\n`speechkit words explain WORD` shows "
          + "it.")
    }
    if !report.unpronounceable.isEmpty {
      await terminal.note(
        "The model leaves out \(report.unpronounceable.count) words without a pronunciation: "
          + "\(some(report.unpronounceable)).\nAdd them with `speechkit words set WORD PHONES` and "
          + "build again.")
    }
  }
}
