import SpeechCommand
import SpeechKit

struct RemoveWordsCommand: Command {
  static let about = CommandDeclaration(
    name: "words remove",
    summary: "Remove words from your dictionary",
    discussion:
      "Removes the words from your dictionary. The recogniser's own dictionary does not change.",
    examples: ["speechkit words remove siobhan": "Use the recogniser's pronunciation again"],
    exits: [
      .badData: "Your dictionary has an error.",
      .noInput: "Your dictionary cannot be read.",
      .unavailable: "A word is not in your dictionary.",
      .cannotCreate: "Your dictionary cannot be written.",
    ])

  @Argument("WORD", isRequired: true, help: "A word of your dictionary.") var words: [String]
  var language = LanguageOption()

  func run(on terminal: Terminal) async throws {
    let mine = try UserPronunciations(locale: language.locale)
    var unknown: [String] = []
    for word in words where !(try mine.remove(word)) { unknown.append("“\(word)”") }
    guard unknown.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "Your dictionary has no \(unknown.joined(separator: ", ")). `speechkit words list` shows "
          + "what it has.")
    }
  }
}
