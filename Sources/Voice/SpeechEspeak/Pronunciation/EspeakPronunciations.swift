import Foundation
import SpeechCore

/// Pronunciations of English words as spoken by eSpeak NG, in the phones of the English model.
///
/// eSpeak's phonemes of American English are converted to ARPAbet by their context, as learned from
/// CMUdict; see `ArpabetTrees`. Of 1,000 words that were not used for learning, seven in ten equal
/// the dictionary's pronunciation. A word takes well under a millisecond once the voices are
/// loaded, and longer during speech, because the library does one thing at a time.
///
/// ```swift
/// let made = try EspeakPronunciations().pronunciations(
///   of: "kubernetes", locale: Locale(identifier: "en_US"))
/// made.first?.text   // "K Y UW B ER N IY T S"
/// ```
/// Languages other than English have none.
public struct EspeakPronunciations: PronunciationSource {
  /// The folder that contains `espeak-ng-data`; `nil` for the default locations. A process can use
  /// only one.
  public var dataFolder: String?
  /// The maximum number of pronunciations for a word, from 1 to 10.
  public var limit: Int

  private static let voice = "en-us"

  /// Creates a source. It loads nothing until it is used.
  public init(dataFolder: String? = nil, limit: Int = 5) {
    self.dataFolder = dataFolder
    self.limit = min(max(limit, 1), 10)
  }

  /// Returns the pronunciations of a word, the most probable first; none if it has no letters.
  ///
  /// - Throws: `SpeechSynthesisProviderError.initializationFailed` if the voices of eSpeak NG are
  ///   missing.
  public func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    guard locale.isEnglish else { return [] }
    let spelling = Self.spelling(word)
    guard !spelling.isEmpty else { return [] }
    return ArpabetReading(phonemes: try phonemes(of: spelling), letters: Array(spelling.utf8))
      .pronunciations(limit: limit, trees: .english)
  }

  /// The pronunciation without any knowledge of the dictionary: each phoneme as its nearest phone.
  package func plainPhones(of word: String) throws -> [String] {
    try phonemes(of: Self.spelling(word)).flatMap { ArpabetPhonemes.plain[$0.symbol] ?? [] }
  }

  /// The spelling that reaches the library.
  static func spelling(_ word: String) -> String {
    let spelling = EnglishPhones.spelling(of: word)
    return spelling.contains("''") ? spelling.replacing("'", with: "") : spelling
  }

  private func phonemes(of spelling: String) throws -> [EspeakPhoneme] {
    let order = EspeakOrder(
      text: spelling, voice: Self.voice, parameters: EspeakParameters(.default),
      dataFolder: dataFolder)
    return try EspeakLibrary.shared.phonemesNow(order)
      .flatMap(EspeakPhoneme.all)
  }
}
