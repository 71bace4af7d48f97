import SpeechCore

/// The settings for checking the words of a recogniser against the audio.
///
/// ```swift
/// let check = WordCheck(vocabulary: ["Siobhan", "Grafana"])
/// ```
public struct WordCheck: Sendable, Hashable {
  /// The treatment of a word that the audio does not support.
  public enum Treatment: String, Sendable, Hashable, CaseIterable {
    /// The word is removed.
    case strike = "words"
    /// The word is put into square brackets, with the confidence of the check.
    case mark
  }

  static let mostTerms = 1_000

  /// The treatment of words that the audio does not support.
  public var treatment: Treatment
  /// Names and terms that are likely to be said. One of them replaces words that sound alike if the
  /// audio supports it better. At most 1,000, because each is compared with each word.
  public var vocabulary: [String]
  /// The source of pronunciations of words that no dictionary has. Without one, such words are not
  /// checked.
  public var pronunciations: AnyPronunciationSource?
  /// The user's own pronunciations, which take precedence over all others.
  public var userDictionary: UserDictionary?

  /// Creates settings, by default without a vocabulary.
  public init(
    _ treatment: Treatment = .strike, vocabulary: [String] = [],
    pronunciations: AnyPronunciationSource? = nil, userDictionary: UserDictionary? = nil
  ) {
    self.treatment = treatment
    self.vocabulary = vocabulary
    self.pronunciations = pronunciations
    self.userDictionary = userDictionary
  }
}
