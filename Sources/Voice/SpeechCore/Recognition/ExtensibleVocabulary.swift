import Foundation

/// A decoder that explains the expected pronunciations of words, and accepts new words while it
/// runs.
///
/// Laws: both functions may be called at any time between two other calls, also during an
/// utterance; a word that is added then is recognised from the next utterance on. A word that
/// cannot be used throws and changes nothing.
public protocol ExtensibleVocabulary: SpeechDecoder {
  /// Returns the expected pronunciations of the word, and their origins.
  nonisolated(nonsending) func explain(_ word: String) async throws -> WordExplanation

  /// Adds a word, or further pronunciations of a known one.
  ///
  /// - Parameter pronunciations: the phones of each; derived from the word if empty.
  /// - Returns: the pronunciations that are recognised from now on.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if it cannot be a word, or no
  ///   pronunciation is known.
  @discardableResult
  nonisolated(nonsending) func add(
    _ word: String, pronunciations: [[String]]
  ) async throws -> WordExplanation
}

extension RecognitionSession where Decoder: ExtensibleVocabulary {
  package func explain(_ word: String) async throws -> WordExplanation {
    try await decoder().explain(word)
  }

  @discardableResult
  package func add(
    _ word: String, pronunciations: [[String]] = []
  ) async throws -> WordExplanation {
    try await decoder().add(word, pronunciations: pronunciations)
  }
}

extension DecoderRecognitionProvider where Decoder: ExtensibleVocabulary {
  /// Returns the expected pronunciations of the word in that language, and their origins.
  public func explain(_ word: String, locale: Locale) async throws -> WordExplanation {
    try await owner(for: locale).explain(word)
  }

  /// Adds a word, or further pronunciations of a known one, before or while it is listening. The
  /// word is discarded when listening starts in another language.
  @discardableResult
  public func add(
    _ word: String, pronunciations: [[String]] = [], locale: Locale
  ) async throws -> WordExplanation {
    try await owner(for: locale).add(word, pronunciations: pronunciations)
  }
}
