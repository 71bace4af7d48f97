import Foundation
import SpeechKit

/// `speechkit words set`: says how a word is said.
struct SetWordCommand: ReflectedCommand {
  static let about = CommandDeclaration(
    name: "words set",
    summary: "Say how a word is said",
    discussion: [
      "Writes it into your dictionary, in place of what is there for the word. Several pronunciations are "
        + "divided by commas, the likeliest first. A word that the recogniser's dictionary has gets them "
        + "beside those that it has there.",
      "The phones of the English model are those of CMUdict without stress: AA odd, AE at, AH hut, AO ought, "
        + "AW cow, AY hide, B be, CH cheese, D dee, DH thee, EH Ed, ER hurt, EY ate, F fee, G green, HH he, "
        + "IH it, IY eat, JH gee, K key, L lee, M me, N knee, NG ping, OW oat, OY toy, P pee, R read, S sea, "
        + "SH she, T tea, TH theta, UH hood, UW two, V vee, W we, Y yield, Z zee, ZH seizure.",
    ],
    examples: [
      .init("speechkit words set siobhan SH AH V AO N", "A name"),
      .init("speechkit words set gif \"G IH F, JH IH F\"", "Both ways"),
    ],
    exits: [
      (.badData, "It cannot be a word, a phone is unknown, or your dictionary is broken."),
      (.noInput, "Your dictionary cannot be read."),
      (.unavailable, "There is no model of that language."),
      (.cannotCreate, "Your dictionary cannot be written."),
    ])

  @Argument("WORD", help: "The word as it is written.") var word: String
  @Argument("PHONES", isRequired: true, help: "Its phones, in one argument or several.")
  var phones: [String]
  var language = LanguageOption()

  func run(on terminal: Terminal) async throws {
    let known = try RecognitionOptions.words(for: language.locale).phones
    let pronunciations = phones.joined(separator: " ").split(separator: ",").map {
      $0.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    // Whoever types small letters means the phones all the same.
    let spelled = pronunciations.map { $0.map { known.contains($0) ? $0 : $0.uppercased() } }
    let mine = try UserPronunciations(locale: language.locale)
    try mine.set(word, to: spelled, among: known)
    await terminal.note("“\(word)” is set in “\(mine.url.path)”.")
  }
}
