import SpeechCommand
import SpeechKit
import SpeechLanguageModels

struct ScoreModelCommand: Command {
  static let about = CommandDeclaration(
    name: "model score",
    summary: "Measure how well a language model predicts a text",
    discussion: """
      Use sentences that the model was not built from. The perplexity is the number of equally
      likely words among which the model would be as uncertain: lower is better, and models can be
      compared only if they know the same words. The coverage is the share of the words that the
      model knows.

      MODEL is a folder of `speechkit model build`, an ARPA file, or PocketSphinx's binary form.

      --json writes an object with “sentenceCount”, “wordCount”, “unknownWordCount”, “unknownWords”
      (with their counts), “coverage”, “logProbability” (to base ten) and, if defined, “perplexity”
      and “perplexityWithUnknown”.
      """,
    examples: [
      "speechkit model score home heldout.txt": "Score sentences that were kept aside",
      "speechkit model score /usr/share/pocketsphinx/model/en-us/en-us.lm.bin heldout.txt":
        "Score the general model for comparison",
    ],
    exits: [
      .badData: "The model is broken, or the text has no words. For an ARPA file the message names "
        + "the line.",
      .noInput: "The model or the text cannot be read.",
    ])

  @Argument("MODEL", .input, help: "The model.") var model: String
  @Argument("TEXT", .input, help: "A file with a sentence in each line.") var text: String
  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let (model, text) = (URL(filePath: model), URL(filePath: text))
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: model.path, isDirectory: &isFolder)
    let file = isFolder.boolValue ? try LanguageModelFolder(model).languageModel : model
    let locale = language.locale
    let score = try await ModelCommands.outside {
      try LanguageModel(contentsOf: file).score(textIn: text, locale: locale)
    }
    guard score.wordCount > 0 else {
      throw CommandFailure(.badData, "There are no words in “\(text.path)”.")
    }
    try await terminal.write(Self.text(score), json: Self.record(score), isJSON: isJSON)
  }

  private static func record(_ score: LanguageModelScore) -> JSONRecord {
    [
      "sentenceCount": score.sentenceCount, "wordCount": score.wordCount,
      "unknownWordCount": score.unknownWordCount, "unknownWords": score.unknownWords,
      "coverage": score.coverage, "logProbability": score.logProbability,
      "perplexity": score.perplexity, "perplexityWithUnknown": score.perplexityWithUnknown,
    ]
  }

  private static func text(_ score: LanguageModelScore) -> String {
    func number(_ value: Double?) -> String {
      value.map { String(format: "%.1f", $0) }
        ?? "none: the model has no probability for unknown words"
    }
    var rows = [
      ["sentences", String(score.sentenceCount)], ["words", String(score.wordCount)],
      ["coverage", String(format: "%.1f %%", score.coverage * 100)],
      ["perplexity", number(score.perplexity)],
    ]
    if score.unknownWordCount > 0 {
      rows.append(["with unknown words", number(score.perplexityWithUnknown)])
      let often = score.unknownWords.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10)
      rows.append(["unknown", often.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")])
    }
    return TextTable(rows).text
  }
}
