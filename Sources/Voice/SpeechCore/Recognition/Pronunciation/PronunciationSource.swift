import Foundation

/// Knows or guesses how words are pronounced that a dictionary lacks.
///
/// Laws: it may be asked from several threads at once and may block, for decoders ask it where they work
/// themselves; the best answer comes first, at most ten; a word that it can say nothing about, or a
/// language that it does not know, gives no pronunciation and no error; the same question gets the same
/// answer. Two sources are equal if they answer alike.
///
/// ```swift
/// struct Names: PronunciationSource {
///   func pronunciations(of word: String, locale: Locale) -> [Pronunciation] {
///     word == "siobhan"
///       ? [Pronunciation("SH AH V AO N", phoneSet: .arpabet, origin: .spelling)] : []
///   }
/// }
/// ```
public protocol PronunciationSource: Sendable, Hashable {
  /// How the word is pronounced, the likeliest first.
  ///
  /// - Parameter word: one word in small letters, without blanks.
  /// - Throws: what keeps it from answering, such as missing data.
  func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation]
}

/// Any source, so that configurations that hold one can be compared.
///
/// ```swift
/// configuration.pronunciationSource = AnyPronunciationSource(EspeakPronunciations())
/// ```
public struct AnyPronunciationSource: PronunciationSource {
  /// The source inside.
  public let base: any PronunciationSource

  /// That source.
  public init(_ base: any PronunciationSource) { self.base = base }

  /// What the source inside says.
  public func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    try base.pronunciations(of: word, locale: locale)
  }

  /// Whether the sources inside are equal.
  public static func == (left: AnyPronunciationSource, right: AnyPronunciationSource) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the source inside.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

/// Says nothing about any word: for programs that would rather be told of missing words.
///
/// ```swift
/// configuration.pronunciationSource = AnyPronunciationSource(NoPronunciations())
/// ```
public struct NoPronunciations: PronunciationSource {
  /// The source.
  public init() {}

  /// None.
  public func pronunciations(of word: String, locale: Locale) -> [Pronunciation] { [] }
}
