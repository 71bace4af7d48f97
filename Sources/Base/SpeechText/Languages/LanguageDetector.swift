import Foundation

/// Detects the language of a text, without a network.
///
/// ```swift
/// LanguageDetector().language(of: "Wo ist der nächste Bahnhof?")  // “de”
/// ```
/// The script decides, as far as one language uses it. Languages that share a script are told apart
/// by their frequent words and by groups of three letters. The table has the languages that eSpeak
/// NG speaks, except constructed and extinct ones. Serbian is known in Cyrillic letters; in Latin
/// letters it is Croatian.
public struct LanguageDetector: Sendable {
  private let profiles: LanguageProfiles

  /// Creates a detector. All share one table, which is read by the first.
  public init() { profiles = .standard }

  /// The languages that can be detected, as BCP 47 tags.
  package var languages: Set<String> {
    Set(profiles.profiles.map(\.language)).union(LetterScript.languages)
  }

  /// Detects the language of a text as a BCP 47 tag; `nil` if it is not clear, as of a name, a
  /// number or a single word that several languages have.
  public func language(of text: String) -> String? {
    // More than enough to decide, and a bound on the work.
    let start = text.prefix(1_000)
    guard let script = LetterScript.main(of: start) else { return nil }
    if let language = script.language { return language }
    return profiles.language(ofWords: Self.words(of: start), in: script)
  }

  /// The words in lower case, with one kind of apostrophe.
  private static func words(of text: Substring) -> [[Unicode.Scalar]] {
    var words: [[Unicode.Scalar]] = [[]]
    for scalar in String(text).lowercased().unicodeScalars {
      switch scalar {
      case "’", "ʻ", "ʼ", "'": words[words.count - 1].append("'")
      // Persian words contain it.
      case "\u{200C}": words[words.count - 1].append(scalar)
      case _ where scalar.properties.isAlphabetic || isMark(scalar):
        words[words.count - 1].append(scalar)
      default: if words.last?.isEmpty == false { words.append([]) }
      }
    }
    return words.map { word in
      Array(word.drop { $0 == "'" }.reversed().drop { $0 == "'" }.reversed())
    }.filter { !$0.isEmpty }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: false
    }
  }
}
