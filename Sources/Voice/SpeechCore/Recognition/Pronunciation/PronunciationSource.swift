import Foundation

/// Supplies or derives pronunciations of words that a dictionary lacks.
///
/// Laws: it may be called from several threads at once, and may block, because decoders call it
/// where they work themselves. The likeliest pronunciation comes first, and there are at most ten.
/// For an unknown word or language it returns none, without an error. Equal calls return equal
/// results. Two sources are equal if their results are.
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
  /// Returns the pronunciations of the word, the likeliest first.
  ///
  /// - Parameter word: one word in small letters, without spaces.
  /// - Throws: the reason why it cannot work, such as missing data.
  func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation]
}

/// Any source, so that configurations that contain one can be compared.
///
/// ```swift
/// configuration.pronunciationSource = AnyPronunciationSource(EspeakPronunciations())
/// ```
public struct AnyPronunciationSource: PronunciationSource {
  /// The source inside it.
  public let base: any PronunciationSource

  /// Wraps a source of pronunciations.
  public init(_ base: any PronunciationSource) { self.base = base }

  /// Returns the pronunciations of the source inside.
  public func pronunciations(of word: String, locale: Locale) throws -> [Pronunciation] {
    try base.pronunciations(of: word, locale: locale)
  }

  /// Compares the sources inside.
  public static func == (left: AnyPronunciationSource, right: AnyPronunciationSource) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the source inside.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

/// A source without pronunciations, for programs in which a missing word is an error.
///
/// ```swift
/// configuration.pronunciationSource = AnyPronunciationSource(NoPronunciations())
/// ```
public struct NoPronunciations: PronunciationSource {
  /// Creates the empty source.
  public init() {}

  /// Returns an empty list.
  public func pronunciations(of word: String, locale: Locale) -> [Pronunciation] { [] }
}
