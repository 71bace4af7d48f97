import Foundation
import SpeechCore
import SpeechPocketSphinx

/// The pronunciations of the words that recognisers write, with their signs, numbers and
/// abbreviations.
final class WordSpeller {
  private let words: PocketSphinxWords
  private var known: [String: [[String]]] = [:]

  /// The maximum number of words whose pronunciations are kept.
  private static let mostKnown = 10_000
  private static let mostPronunciations = 4
  private static let signs = CharacterSet(charactersIn: "$£€%&")

  init(_ configuration: PocketSphinxConfiguration, locale: Locale) throws {
    words = try PocketSphinxWords(configuration: configuration, locale: locale)
  }

  /// The word without the signs around it that are not spoken.
  static func plain(_ word: String) -> String {
    word.replacing("’", with: "'")
      .trimmingCharacters(in: .alphanumerics.union(signs).inverted)
  }

  /// The likeliest pronunciations; empty if none is known.
  func pronunciations(of word: String) -> [[String]] {
    let plain = Self.plain(word)
    if let known = known[plain] { return known }
    // A word that cannot be looked up is not judged.
    let found = (try? words.explain(plain))?.pronunciations ?? []
    if known.count >= Self.mostKnown { known = [:] }
    let phones = Array(found.map(\.phones).prefix(Self.mostPronunciations))
    known[plain] = phones
    return phones
  }
}
