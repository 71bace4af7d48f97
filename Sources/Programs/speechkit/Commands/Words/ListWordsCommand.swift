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

  func run(on terminal: Terminal) async throws {
    let mine = try UserPronunciations(locale: language.locale)
    let words = try mine.all().sorted { $0.key < $1.key }
    let table = TextTable(
      words.flatMap { word, phones in phones.map { [word, $0.joined(separator: " ")] } })
    let records = words.map { word, phones -> JSONRecord in
      ["word": word, "pronunciations": phones]
    }
    try await terminal.write(table.text, json: records, isJSON: isJSON)
    if words.isEmpty {
      await terminal.note(
        "Your dictionary is empty. `speechkit words set WORD PHONES` adds a word.")
    }
  }
}
