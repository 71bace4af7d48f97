import SpeechCommand
import SpeechKit

enum WordsCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "words",
      summary: "Show and correct the pronunciations of words",
      discussion: """
        Words that are missing from the recogniser's dictionary get a derived pronunciation: from
        the words and letters that they consist of, and from their spelling.

        If it is wrong, correct it in a dictionary of your own. It is a text file in the format of
        CMUdict, speechkit/pronunciations/LANGUAGE.dict in $XDG_DATA_HOME or ~/.local/share, and may
        be edited by hand.
        """,
      examples: [
        "speechkit words explain kubernetes": "Show the pronunciation of a word and its origin",
        "speechkit words set siobhan SH AH V AO N": "Set the pronunciation of a word",
      ]),
    [
      .command(ExplainWordsCommand.self), .command(SetWordCommand.self),
      .command(RemoveWordsCommand.self), .command(ListWordsCommand.self),
    ])
}

struct ExplainWordsCommand: Command {
  static let about = CommandDeclaration(
    name: "words explain",
    summary: "Show the pronunciations of words and their origin",
    discussion: """
      Lists, for each word, the pronunciations that the recogniser listens for, the likeliest first,
      with their origin: your own dictionary, the recogniser's, the word's parts, or its spelling.
      Candidates that it does not listen for follow.

      --json writes an array of objects with “word”, “pronunciations”, “others” (both with “phones”,
      “phoneSet”, “origin”, “confidence” and, if other words are said, “reading”) and “advice”.
      """,
    examples: [
      "speechkit words explain GitHub 3D v2 siobhan": "Explain names and abbreviations",
      "speechkit words explain --json hello | jq '.[].pronunciations'": "Write JSON for a program",
    ],
    exits: [
      .badData: "A word has no pronunciation, or a dictionary has an error.",
      .noInput: "Your dictionary cannot be read.",
      .unavailable: "There is no model for the language.",
    ])

  @Argument("WORD", isRequired: true, help: "A word in its normal spelling.") var words: [String]
  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let vocabulary = try RecognitionOptions.words(for: language.locale)
    let explanations = try words.map { try vocabulary.explain($0) }
    let text = explanations.map(Self.text).joined(separator: "\n")
    try await terminal.write(text, json: explanations, isJSON: isJSON)
    let unknown = explanations.filter(\.pronunciations.isEmpty).map { "“\($0.word)”" }
    guard unknown.isEmpty else {
      throw CommandFailure(
        .badData, "There is no pronunciation for \(unknown.joined(separator: ", ")).")
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
  /// The vocabulary of the commands that recognise speech.
  static func words(for locale: Locale) throws -> PocketSphinxWords {
    try GrammarCommands.checkModel(for: locale)
    return try PocketSphinxWords(
      configuration: PocketSphinxConfiguration().withStandardPronunciations, locale: locale)
  }
}
