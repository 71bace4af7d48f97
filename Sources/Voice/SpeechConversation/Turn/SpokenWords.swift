import Foundation

/// The words of a text in the form in which they are compared: without case and punctuation.
package struct SpokenWords: Sendable, Equatable {
  var words: [String]

  package init(_ text: String) {
    words = text.lowercased()
      .split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" && $0 != "-" }
      .map(String.init)
  }

  var isEmpty: Bool { words.isEmpty }
  package var text: String { words.joined(separator: " ") }

  /// Returns true if the words are exactly one of the phrases.
  func isOne(of phrases: Set<String>) -> Bool {
    !words.isEmpty && phrases.contains { SpokenWords($0).words == words }
  }

  /// Returns true if the words consist of such phrases alone, repeated or not: “mhm, mhm, right”.
  func areMade(of phrases: Set<String>) -> Bool {
    guard !words.isEmpty else { return false }
    var rest = words[...]
    let known = phrases.map { SpokenWords($0).words }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    while !rest.isEmpty {
      guard let phrase = known.first(where: { rest.starts(with: $0) }) else { return false }
      rest = rest.dropFirst(phrase.count)
    }
    return true
  }

  /// Returns the number of words outside such phrases.
  func count(without phrases: Set<String>) -> Int {
    areMade(of: phrases) ? 0 : words.count
  }

  /// Returns the text after the phrase, if the text begins with it.
  static func text(_ text: String, after phrase: String) -> String? {
    let phrase = SpokenWords(phrase).words
    guard !phrase.isEmpty, SpokenWords(text).words.starts(with: phrase) else { return nil }
    // In the original spelling, with case and punctuation.
    let parts = text.split(separator: " ")
    var taken = 0
    for (index, part) in parts.enumerated() {
      taken += SpokenWords(String(part)).words.count
      if taken >= phrase.count {
        return parts[(index + 1)...].joined(separator: " ")
      }
    }
    return ""
  }
}

/// The words that the loop said recently, so that their echo is not taken for the user.
struct OwnWords: Sendable, Equatable {
  private var words: [String] = []

  /// About a minute of speech.
  private static let limit = 200
  /// Fewer words than this may well be the user's own.
  private static let shortest = 3

  mutating func add(_ text: String) {
    words += SpokenWords(text).words
    if words.count > Self.limit { words.removeFirst(words.count - Self.limit) }
  }

  mutating func forget() { words = [] }

  /// Returns true if most pairs of neighbouring words are pairs of the loop's own. A recogniser
  /// understands an echo only in part.
  func contain(_ heard: SpokenWords) -> Bool {
    guard heard.words.count >= Self.shortest, words.count >= Self.shortest else { return false }
    let own = Set(zip(words, words.dropFirst()).map { $0 + " " + $1 })
    let pairs = zip(heard.words, heard.words.dropFirst()).map { $0 + " " + $1 }
    return pairs.count(where: own.contains) * 3 >= pairs.count * 2
  }
}
