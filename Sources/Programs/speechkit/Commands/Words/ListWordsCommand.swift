import Foundation
import SpeechCommand
import SpeechKit

struct ListWordsCommand: Command {
  static let about = CommandDeclaration(
    name: "words list",
    summary: "List the words of your dictionary",
    discussion: """
      Prints a line for each pronunciation: the word and its phones.

      --json writes an array of objects with “word” and “pronunciations”, which are arrays of
      phones.
      """,
    examples: ["speechkit words list": "List your words"],
    exits: [
      .badData: "Your dictionary has an error; the message names the line.",
      .noInput: "Your dictionary cannot be read.",
    ])

  var language = LanguageOption()
  @Flag("--json", help: "Write JSON.") var isJSON

  private struct Row: Encodable {
    var word: String
    var pronunciations: [[String]]
  }

  func run(on terminal: Terminal) async throws {
    let mine = try UserPronunciations(locale: language.locale)
    let rows = try mine.all().sorted { $0.key < $1.key }
      .map { Row(word: $0.key, pronunciations: $0.value) }
    if isJSON {
      try await terminal.writeJSON(rows)
    } else {
      let lines = rows.flatMap { row in
        row.pronunciations.map { [row.word, $0.joined(separator: " ")] }
      }
      try await terminal.write(TextTable(lines).text)
    }
    if rows.isEmpty {
      await terminal.note(
        "Your dictionary is empty. `speechkit words set WORD PHONES` adds a word.")
    }
  }
}
