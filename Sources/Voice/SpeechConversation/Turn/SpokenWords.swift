import Foundation

/// The words of a text as they are compared: without case and marks.
struct SpokenWords: Sendable, Equatable {
  var words: [String]

  init(_ text: String) {
    words = text.lowercased()
      .split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" && $0 != "-" }
      .map(String.init)
  }

  var isEmpty: Bool { words.isEmpty }
  var text: String { words.joined(separator: " ") }

  /// Whether they are one of these phrases, and nothing else.
  func isOne(of phrases: Set<String>) -> Bool {
    !words.isEmpty && phrases.contains { SpokenWords($0).words == words }
  }

  /// Whether nothing but such phrases was said, however often: “mhm, mhm, right”.
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

  /// How many words are not made of such phrases.
  func count(without phrases: Set<String>) -> Int {
    areMade(of: phrases) ? 0 : words.count
  }

  /// What follows the phrase, if they begin with it.
  static func text(_ text: String, after phrase: String) -> String? {
    let phrase = SpokenWords(phrase).words
    guard !phrase.isEmpty, SpokenWords(text).words.starts(with: phrase) else { return nil }
    // As it is written, with its case and marks.
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

/// What we have said of late, so that it is not taken for the user when it comes back.
struct OwnWords: Sendable, Equatable {
  private var words: [String] = []

  /// No more than a minute's worth.
  private static let limit = 200
  /// Shorter than this it may well be the user's own choice of words.
  private static let shortest = 3

  mutating func add(_ text: String) {
    words += SpokenWords(text).words
    if words.count > Self.limit { words.removeFirst(words.count - Self.limit) }
  }

  mutating func forget() { words = [] }

  /// Whether most pairs of neighbours among these words are pairs of ours: the recogniser does not hear all
  /// of an echo right.
  func contain(_ heard: SpokenWords) -> Bool {
    guard heard.words.count >= Self.shortest, words.count >= Self.shortest else { return false }
    let own = Set(zip(words, words.dropFirst()).map { $0 + " " + $1 })
    let pairs = zip(heard.words, heard.words.dropFirst()).map { $0 + " " + $1 }
    return pairs.count(where: own.contains) * 3 >= pairs.count * 2
  }
}
