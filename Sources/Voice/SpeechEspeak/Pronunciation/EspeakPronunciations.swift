import Foundation
import SpeechCore

/// Pronunciations of English words as eSpeak NG speaks them, in the phones of the English model.
///
/// eSpeak's phonemes of American English become ARPAbet by what is around them, as learnt from CMUdict; see
/// `ArpabetTrees`. Of 1,000 words that it was not learnt from, seven in ten come out as the dictionary has
/// them. A word takes well under a millisecond once the voices are loaded, and longer while something is
/// being spoken, for the library does one thing at a time.
///
/// ```swift
/// let made = try EspeakPronunciations().pronunciations(
///   of: "kubernetes", locale: Locale(identifier: "en_US"))
/// made.first?.text   // "K Y UW B ER N IY T S"
/// ```
/// Other languages than English get none.
public struct EspeakPronunciations: PronunciationSource {
  /// Where `espeak-ng-data` is, if not in a usual place; one process can use one only.
  public var dataFolder: String?
  /// How many pronunciations a word gets at most.
  public var limit: Int

  private static let voice = "en-us"

  /// A source.
  public init(dataFolder: String? = nil, limit: Int = 5) {
    self.dataFolder = dataFolder
    self.limit = min(max(limit, 1), 10)
  }

  /// How the word is pronounced, the likeliest first; none if it has no letters.
  ///
  /// - Throws: `SpeechSynthesisProviderError.initializationFailed` when eSpeak NG has no voices.
  public func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    guard locale.identifier.lowercased().prefix(while: \.isLetter) == "en" else { return [] }
    let spelling = Self.spelling(word)
    guard !spelling.isEmpty else { return [] }
    return ArpabetReading(phonemes: try phonemes(of: spelling), letters: Array(spelling.utf8))
      .pronunciations(limit: limit, trees: .englishTrees)
  }

  /// What eSpeak says, without any knowledge of the dictionary: each phoneme as the phone that is most like
  /// it.
  package func plainPhones(of word: String) throws -> [String] {
    try phonemes(of: Self.spelling(word)).flatMap { ArpabetPhonemes.plain[$0.symbol] ?? [] }
  }

  /// The letters of English and apostrophes within, in small letters: nothing else reaches the library, and
  /// no more than it bears.
  static func spelling(_ word: String) -> String {
    let plain = word.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
      .map { $0 == "’" ? "'" : $0 }
      .filter { ("a"..."z").contains($0) || $0 == "'" }
    let text = String(String.UnicodeScalarView(plain.prefix(60)))
    let trimmed = text.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
    return trimmed.contains("''") ? trimmed.replacing("'", with: "") : trimmed
  }

  private func phonemes(of spelling: String) throws -> [EspeakPhoneme] {
    let order = EspeakOrder(
      text: spelling, voice: Self.voice, parameters: EspeakParameters(.default),
      dataFolder: dataFolder)
    return try EspeakLibrary.shared.phonemesNow(order, .separatedMnemonics)
      .flatMap(EspeakPhoneme.all)
  }
}
