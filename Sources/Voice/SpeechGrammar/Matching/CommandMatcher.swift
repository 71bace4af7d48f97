import Foundation

/// Finds the meaning of recognised text: the intent and the slots of a sentence of a grammar.
///
/// The words may come from any recogniser. Capital letters and punctuation are ignored, and digits
/// are read as they are spoken: “7:30” as “seven thirty”.
///
/// ```swift
/// let matcher = try CommandMatcher(home)
/// if let match = matcher.match("Turn on the kitchen light.") {
///   print(match.intent, match["room"]?.code ?? "")
/// }
/// ```
public struct CommandMatcher: Sendable {
  package let grammar: CommandGrammar
  private let network: GrammarNetwork

  /// The number of words above which sentences are rejected.
  private static let longest = 1_000

  /// Creates a matcher.
  ///
  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public init(_ grammar: CommandGrammar) throws(CommandGrammarError) {
    self.grammar = grammar
    network = try NetworkCompiler.network(of: grammar)
  }

  /// Returns the meaning of a sentence; `nil` if it does not belong to the grammar.
  ///
  /// Of several meanings it is the one with the greatest weight, and among those the first in the
  /// source.
  public func match(_ text: String) -> CommandMatch? {
    match(words: text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Returns the meaning of words; `nil` if they are not a sentence of the grammar.
  package func match(words: [String]) -> CommandMatch? {
    readings(words: words, limit: 1).first
  }

  /// Returns all meanings of a sentence, the likeliest first.
  public func readings(of text: String, limit: Int = 10) -> [CommandMatch] {
    readings(words: text.split(whereSeparator: \.isWhitespace).map(String.init), limit: limit)
  }

  /// Returns all meanings of words, the likeliest first.
  package func readings(words: [String], limit: Int = 10) -> [CommandMatch] {
    guard limit > 0, !words.isEmpty, words.count <= Self.longest else { return [] }
    let lattice = WordLattice(words, network: network, language: grammar.language)
    guard lattice.end > 0 else { return [] }
    var search = NetworkSearch(network, lattice)
    var found: [CommandMatch] = []
    let forward = search
    search.paths { path in
      if let match = match(forward, path, lattice, words),
        !found.contains(where: { $0.meansTheSame(as: match) })
      {
        found.append(match)
      }
      return found.count == limit
    }
    return found
  }

  /// Returns how complete the text is as a sentence of the grammar.
  ///
  /// ```swift
  /// matcher.progress(of: "turn on the")         // .beginning
  /// matcher.progress(of: "turn on the light")   // .sentence
  /// // or .sentenceOrBeginning if "please" may follow
  /// ```
  public func progress(of text: String) -> CommandProgress {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count <= Self.longest else { return .none }
    let lattice = WordLattice(words, network: network, language: grammar.language)
    return switch NetworkSearch(network, lattice).progress() {
    case (true, false): .sentence
    case (true, true): .sentenceOrBeginning
    case (false, true): .beginning
    case (false, false): .none
    }
  }

  private func match(
    _ search: NetworkSearch, _ path: NetworkSearch.Path, _ lattice: WordLattice, _ words: [String]
  ) -> CommandMatch? {
    var match = CommandMatch(
      intent: "", words: words, slots: [], tags: [],
      weight: exp(Double(path.weight) / 1_000_000))
    var slot: (number: Int32, begin: Int, tags: [String])?
    search.follow(path) { event, place in
      switch event {
      case .intent(let number): match.intent = network.intents[Int(number)]
      case .slotBegin(let number): slot = (number, lattice.lower[Int(place)], [])
      case .tag(let tag): if slot == nil { match.tags.append(tag) } else { slot?.tags.append(tag) }
      case .slotEnd:
        guard let ended = slot else { return }
        slot = nil
        let description = network.slots[ended.number]
        let range = ended.begin..<max(lattice.upper[Int(place)], ended.begin)
        guard let value = SlotEvaluator.value(of: description.type, tags: ended.tags) else {
          return
        }
        match.slots.append(
          SlotMatch(
            name: description.name, value: value, text: words[range].joined(separator: " "),
            words: range))
      }
    }
    return match
  }
}

/// The completeness of a text as a sentence of a grammar.
public enum CommandProgress: Sendable, Hashable {
  /// Neither a sentence nor the beginning of one.
  case none
  /// The beginning of a sentence.
  case beginning
  /// A sentence, and the beginning of a longer one.
  case sentenceOrBeginning
  /// A sentence that cannot be continued.
  case sentence
}

extension CommandMatch {
  /// True if an app would see no difference.
  fileprivate func meansTheSame(as other: CommandMatch) -> Bool {
    intent == other.intent && slots == other.slots && tags == other.tags
  }
}
