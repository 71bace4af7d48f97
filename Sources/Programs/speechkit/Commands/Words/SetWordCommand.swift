import SpeechCommand
import SpeechKit

struct SetWordCommand: Command {
  static let about = CommandDeclaration(
    name: "words set",
    summary: "Set the pronunciation of a word",
    discussion: """
      Writes the pronunciations to your dictionary, replacing those of the word. Separate several by
      commas, the likeliest first. If the recogniser's dictionary has the word, they are added to
      its pronunciations.

      The phones of the English model are those of CMUdict without stress: AA odd, AE at, AH hut, AO
      ought, AW cow, AY hide, B be, CH cheese, D dee, DH thee, EH Ed, ER hurt, EY ate, F fee, G
      green, HH he, IH it, IY eat, JH gee, K key, L lee, M me, N knee, NG ping, OW oat, OY toy, P
      pee, R read, S sea, SH she, T tea, TH theta, UH hood, UW two, V vee, W we, Y yield, Z zee, ZH
      seizure.
      """,
    examples: [
      "speechkit words set siobhan SH AH V AO N": "Set the pronunciation of a name",
      "speechkit words set gif \"G IH F, JH IH F\"": "Set two pronunciations",
    ],
    exits: [
      .badData: "The word is not valid, a phone is unknown, or your dictionary has an error.",
      .noInput: "Your dictionary cannot be read.",
      .unavailable: "There is no model for the language.",
      .cannotCreate: "Your dictionary cannot be written.",
    ])

  @Argument("WORD", help: "The word in its normal spelling.") var word: String
  @Argument("PHONES", isRequired: true, help: "Its phones, in one argument or several.")
  var phones: [String]
  var language = LanguageOption()

  func run(on terminal: Terminal) async throws {
    let known = try RecognitionOptions.words(for: language.locale).phones
    let pronunciations = phones.joined(separator: " ").split(separator: ",").map {
      $0.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    // Phones may be typed in lower case.
    let spelled = pronunciations.map { $0.map { known.contains($0) ? $0 : $0.uppercased() } }
    let mine = try UserPronunciations(locale: language.locale)
    try mine.set(word, to: spelled, among: known)
    await terminal.note("“\(word)” is stored in “\(mine.url.path)”.")
  }
}
