import Foundation
import SpeechCore

/// Pronunciations of English words as spoken by Flite, in the phones of the English model.
///
/// Flite looks a word up in its own CMU dictionary, and applies its letter-to-sound rules if the
/// dictionary lacks it.
///
/// ```swift
/// let made = try FlitePronunciations().pronunciations(
///   of: "hello", locale: Locale(identifier: "en_US"))
/// made.first?.text   // "HH AH L OW"
/// ```
/// Languages other than English have none.
public struct FlitePronunciations: PronunciationSource {
  /// Creates a source. It loads nothing until it is used.
  public init() {}

  /// Returns Flite's only pronunciation of the word; none if it has no letters.
  ///
  /// - Throws: `SpeechSynthesisProviderError.initializationFailed` if Flite's voice is missing.
  public func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    guard locale.isEnglish else { return [] }
    let spelling = EnglishPhones.spelling(of: word)
    guard spelling.contains(where: \.isLetter) else { return [] }
    let phones = try FliteLibrary.shared.phonesNow(of: spelling)
      .map(Self.arpabet)
    guard !phones.isEmpty else { return [] }
    return [Pronunciation(phones: phones, phoneSet: .arpabet, origin: .spelling, confidence: 0.7)]
  }

  /// Flite's phone without its stress, as named by CMUdict.
  static func arpabet(_ phone: String) -> String {
    let plain = phone.filter { !$0.isNumber }.uppercased()
    return plain == "AX" ? "AH" : plain
  }
}
