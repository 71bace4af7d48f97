import Foundation
import SpeechKit

/// `speechkit words remove`: forgets what was set.
struct RemoveWordsCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "words remove",
    summary: "Forget how words were set to be said",
    discussion: ["Takes them out of your dictionary; the recogniser's own is not touched."],
    examples: [.init("speechkit words remove siobhan", "Leave it to the recogniser again")],
    exits: [
      (.badData, "Your dictionary is broken."),
      (.noInput, "Your dictionary cannot be read."),
      (.unavailable, "A word is not in your dictionary."),
      (.cannotCreate, "Your dictionary cannot be written."),
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
        "Your dictionary has no \(unknown.joined(separator: ", ")). `speechkit words list` shows what it "
          + "has.")
    }
  }
}
