/// The pronunciations that a recogniser expects of a word, their origins, and advice to correct
/// them.
///
/// ```swift
/// let explanation = try await provider.explain("SpeechKit", locale: locale)
/// print(explanation.advice)
/// ```
public struct WordExplanation: Sendable, Hashable, Codable {
  /// The word as it was passed.
  public var word: String
  /// The recognised pronunciations, the likeliest first; empty if the word cannot be used.
  public var pronunciations: [Pronunciation]
  /// Further candidates that are not recognised, the likeliest first.
  public var others: [Pronunciation]
  /// The remedy if the word is pronounced in another way.
  public var advice: String

  /// Creates an explanation of a word.
  public init(
    word: String, pronunciations: [Pronunciation], others: [Pronunciation] = [],
    advice: String
  ) {
    self.word = word
    self.pronunciations = pronunciations
    self.others = others
    self.advice = advice
  }
}
