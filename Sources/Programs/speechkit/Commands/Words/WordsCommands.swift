import Foundation
import SpeechKit

/// `speechkit words`: how words are expected to be said.
enum WordsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "words",
      summary: "See and correct how words are expected to be said",
      discussion: [
        "Words that the recogniser's dictionary lacks get a pronunciation by themselves: from the words and "
          + "letters that they are made of, and from their spelling.",
        "Where that is wrong, a dictionary of your own sets it right. It is a text file in the format of "
          + "CMUdict, speechkit/pronunciations/LANGUAGE.dict in $XDG_DATA_HOME or ~/.local/share, and may be "
          + "edited by hand.",
      ],
      examples: [
        .init("speechkit words explain kubernetes", "How is it expected to be said, and why?"),
        .init("speechkit words set siobhan SH AH V AO N", "Say how it is said"),
      ]),
    [
      .command(ExplainWordsCommand.self), .command(SetWordCommand.self),
      .command(RemoveWordsCommand.self), .command(ListWordsCommand.self),
    ])
}

/// `speechkit words explain`: how words are expected to be said, and why.
struct ExplainWordsCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "words explain",
    summary: "Show how words are expected to be said, and why",
    discussion: [
      "For each word the pronunciations that are listened for, the likeliest first, with where they are "
        + "from: your own dictionary, the recogniser's, the word's parts, or its spelling; then others that "
        + "were thought of and are not listened for.",
      "With --json an array of objects with “word”, “pronunciations”, “others” (both with “phones”, "
        + "“phoneSet”, “origin”, “confidence” and, where other words are said, “reading”) and “advice”.",
    ],
    examples: [
      .init("speechkit words explain GitHub 3D v2 siobhan", "Names and the like"),
      .init("speechkit words explain --json hello | jq '.[].pronunciations'", "For a program"),
    ],
    exits: [
      (.badData, "A word has no pronunciation, or a dictionary is broken."),
      (.noInput, "Your dictionary cannot be read."),
      (.unavailable, "There is no model of that language."),
    ])

  @Argument("WORD", isRequired: true, help: "A word as it is written.") var words: [String]
  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let vocabulary = try RecognitionOptions.words(for: language.locale)
    let explanations = try words.map { try vocabulary.explain($0) }
    if isJSON {
      try await terminal.writeJSON(explanations)
    } else {
      try await terminal.write(explanations.map(Self.text).joined(separator: "\n"))
    }
    let unknown = explanations.filter(\.pronunciations.isEmpty).map { "“\($0.word)”" }
    guard unknown.isEmpty else {
      throw CommandFailure(
        .badData, "Nothing is known of how to say \(unknown.joined(separator: ", ")).")
    }
  }

  private static func text(_ explanation: WordExplanation) -> String {
    let used = explanation.pronunciations.map { ["  \($0.text)", reason($0)] }
    let others = explanation.others.map { ["  \($0.text)", "\(reason($0)); not listened for"] }
    return explanation.word + "\n" + TextTable(used + others).text + "  \(explanation.advice)\n"
  }

  private static func reason(_ pronunciation: Pronunciation) -> String {
    let origin =
      switch pronunciation.origin {
      case .userDictionary: "from your dictionary"
      case .dictionary: "from the recogniser's dictionary"
      case .derived: "from its parts"
      case .spelling: "from its spelling"
      }
    let share =
      pronunciation.confidence < 1 ? ", \(Int((pronunciation.confidence * 100).rounded())) %" : ""
    return origin + (pronunciation.reading.map { " (“\($0)”)" } ?? "") + share
  }
}

extension RecognitionOptions {
  /// The words as the commands that recognise have them.
  ///
  /// - Throws: `CommandFailure` without a model.
  static func words(for locale: Locale) throws -> PocketSphinxWords {
    do {
      _ = try PocketSphinxModel.find(for: locale)
    } catch {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
    return try PocketSphinxWords(
      configuration: PocketSphinxConfiguration().withStandardPronunciations, locale: locale)
  }
}
