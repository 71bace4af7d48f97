import CLanguageProfiles
import Foundation

/// The languages that share a script with others: the frequency of groups of three letters, and
/// frequent words.
///
/// A line of the table is a language, its script, groups by frequency, and words, divided by tabs:
/// `de latin 4:…… 5:……… =der die das`. A level is the negative logarithm of the frequency in steps
/// of `levelStep`, and its groups follow each other without a separator. `_` is the edge of a word.
struct LanguageProfiles: Sendable {
  struct Profile: Sendable {
    var language: String
    var script: LetterScript
    var groups: [UInt64: Float] = [:]
    var words: Set<[Unicode.Scalar]> = []
    /// The letters of its groups.
    var letters: Set<Unicode.Scalar> = []
  }

  static let standard = LanguageProfiles(String(cString: language_profiles()))

  let profiles: [Profile]
  /// The number of languages that have a word, by script.
  private let sharing: [LetterScript: [[Unicode.Scalar]: Int]]

  private static let levelStep: Float = 0.5
  /// The logarithm of the frequency of a group that is not in the table of a language.
  private static let floor: Float = -9.2
  /// The logarithm of the loss for a letter that a language does not have.
  private static let foreignLetter: Float = -4
  /// The weight of a frequent word, relative to a group of letters.
  private static let wordWeight: Float = 3
  /// The lead over the second language from which on a language is clear: smaller if the text has a
  /// frequent word of it, because names and single words resemble words of many languages.
  private static let (clearLead, clearLeadOfWords): (Float, Float) = (5, 1.5)

  init(_ table: String) {
    profiles = table.split(separator: "\n").compactMap(Profile.init)
    sharing = profiles.reduce(into: [:]) { sharing, profile in
      for word in profile.words { sharing[profile.script, default: [:]][word, default: 0] += 1 }
    }
  }

  /// The language of the words; `nil` if two are about as likely.
  func language(ofWords words: [[Unicode.Scalar]], in script: LetterScript) -> String? {
    let candidates = profiles.filter { $0.script == script }
    let groups = words.flatMap(Self.groups)
    var best: (language: String, score: Float, hasWords: Bool)?
    var second = -Float.infinity
    for profile in candidates {
      var score = groups.reduce(0) { $0 + (profile.groups[$1] ?? Self.floor) }
      for letter in words.joined() where !profile.letters.contains(letter) {
        score += Self.foreignLetter
      }
      let known = words.filter(profile.words.contains)
      for word in known {
        let rarity = Float(candidates.count) / Float(sharing[script]?[word] ?? 1)
        score += Self.wordWeight * log(rarity)
      }
      if score > best?.score ?? -.infinity {
        second = best?.score ?? second
        best = (profile.language, score, !known.isEmpty)
      } else {
        second = max(second, score)
      }
    }
    guard let best,
      best.score - second >= (best.hasWords ? Self.clearLeadOfWords : Self.clearLead)
    else { return nil }
    return best.language
  }

  /// The groups of three letters of a word, with its edges.
  private static func groups(of word: [Unicode.Scalar]) -> [UInt64] {
    let padded = ["_"] + word + ["_"]
    return (2..<padded.count).map { key(padded[$0 - 2], padded[$0 - 1], padded[$0]) }
  }

  fileprivate static func key(
    _ one: Unicode.Scalar, _ two: Unicode.Scalar, _ three: Unicode.Scalar
  ) -> UInt64 {
    UInt64(one.value) << 42 | UInt64(two.value) << 21 | UInt64(three.value)
  }

  fileprivate static func frequency(level: Int) -> Float { -Float(level) * levelStep }
}

extension LanguageProfiles.Profile {
  /// Parses a line of the table; `nil` for a comment.
  fileprivate init?(_ line: Substring) {
    let fields = line.split(separator: "\t")
    guard fields.count > 2, let script = LetterScript(rawValue: String(fields[1])) else {
      return nil
    }
    self.init(language: String(fields[0]), script: script)
    for field in fields.dropFirst(2) {
      if field.hasPrefix("=") {
        words = Set(field.dropFirst().split(separator: " ").map { Array($0.unicodeScalars) })
        letters.formUnion(words.joined())
        continue
      }
      let parts = field.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let level = Int(parts[0]) else { continue }
      let scalars = Array(parts[1].unicodeScalars)
      for start in stride(from: 0, to: scalars.count - 2, by: 3) {
        let key = LanguageProfiles.key(scalars[start], scalars[start + 1], scalars[start + 2])
        groups[key] = LanguageProfiles.frequency(level: level)
        letters.formUnion(scalars[start..<start + 3])
      }
    }
  }
}
