import Foundation

/// A decoder that tells how it expects words to be said, and learns new ones while it runs.
///
/// Laws: both may be called at any time between two other calls, also in the midst of an utterance; a word
/// that is added then is heard from the next one on. A word that cannot be used throws and changes nothing.
public protocol ExtensibleVocabulary: SpeechDecoder {
  /// How the word is expected to be said, and why.
  nonisolated(nonsending) func explain(_ word: String) async throws -> WordExplanation

  /// Adds a word, or pronunciations to one that is there.
  ///
  /// - Parameter pronunciations: the phones of each; those that are thought of for the word if empty.
  /// - Returns: what is listened for from now on.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if it cannot be a word, or nothing is known of
  ///   how it is said.
  @discardableResult
  nonisolated(nonsending) func add(
    _ word: String, pronunciations: [[String]]
  ) async throws -> WordExplanation
}

extension RecognitionSession where Decoder: ExtensibleVocabulary {
  /// How the word is expected to be said, and why.
  package func explain(_ word: String) async throws -> WordExplanation {
    try await decoder().explain(word)
  }

  /// Adds a word, or pronunciations to one that is there.
  @discardableResult
  package func add(
    _ word: String, pronunciations: [[String]] = []
  ) async throws -> WordExplanation {
    try await decoder().add(word, pronunciations: pronunciations)
  }
}

extension DecoderRecognitionProvider where Decoder: ExtensibleVocabulary {
  /// How the word is expected to be said in that language, and why.
  public func explain(_ word: String, locale: Locale) async throws -> WordExplanation {
    try await owner(for: locale).explain(word)
  }

  /// Adds a word while it is listening or before, or pronunciations to one that is there. It is forgotten
  /// when another language is listened to.
  @discardableResult
  public func add(
    _ word: String, pronunciations: [[String]] = [], locale: Locale
  ) async throws -> WordExplanation {
    try await owner(for: locale).add(word, pronunciations: pronunciations)
  }
}
