/// How a recogniser expects a word to be said, why, and what to do if that is wrong.
///
/// ```swift
/// let words = try PocketSphinxWords(configuration: configuration)
/// print(try words.explain("SpeechKit").advice)
/// ```
public struct WordExplanation: Sendable, Hashable, Codable {
  /// The word as it was asked for.
  public var word: String
  /// The pronunciations that are listened for, the likeliest first; none if the word cannot be used.
  public var pronunciations: [Pronunciation]
  /// Others that are thought of and not listened for, the likeliest first.
  public var others: [Pronunciation]
  /// What to do if this is not how the word is said.
  public var advice: String

  /// An explanation.
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
