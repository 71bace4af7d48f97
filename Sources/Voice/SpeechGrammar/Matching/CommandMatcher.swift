import Foundation

/// Understands what was recognised: finds the intent and the slots of a sentence of a grammar.
///
/// The words may come from any recogniser. Capital letters and marks do not matter, and figures are read as
/// they are spoken: “7:30” as “seven thirty”.
///
/// ```swift
/// let matcher = try CommandMatcher(home)
/// if let match = matcher.match("Turn on the kitchen light.") {
///   print(match.intent, match["room"]?.code ?? "")
/// }
/// ```
public struct CommandMatcher: Sendable {
  /// The grammar.
  public let grammar: CommandGrammar
  private let network: GrammarNetwork

  /// Sentences of more words are not understood.
  private static let longest = 1_000

  /// - Throws: `CommandGrammarError` if the grammar cannot be used.
  public init(_ grammar: CommandGrammar) throws(CommandGrammarError) {
    self.grammar = grammar
    network = try NetworkCompiler.network(of: grammar)
  }

  /// What the sentence means; `nil` if it is none of the grammar's.
  ///
  /// If it has several meanings it is the one with the greatest weight, and among those the one that is
  /// written first.
  public func match(_ text: String) -> CommandMatch? {
    match(words: text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// What these words mean; `nil` if they are no sentence of the grammar.
  public func match(words: [String]) -> CommandMatch? {
    readings(words: words, limit: 1).first
  }

  /// Everything that the sentence may mean, the likeliest meaning first.
  public func readings(of text: String, limit: Int = 10) -> [CommandMatch] {
    readings(words: text.split(whereSeparator: \.isWhitespace).map(String.init), limit: limit)
  }

  /// Everything that these words may mean, the likeliest meaning first.
  public func readings(words: [String], limit: Int = 10) -> [CommandMatch] {
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

  /// How far the text has come on its way to a sentence of the grammar.
  ///
  /// ```swift
  /// matcher.progress(of: "turn on the")         // .beginning
  /// matcher.progress(of: "turn on the light")   // .sentence, or .sentenceOrBeginning if "please" may follow
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
    var slot: (number: Int, begin: Int, tags: [String])?
    search.follow(path) { event, place in
      switch event {
      case .intent(let number): match.intent = network.intents[Int(number)]
      case .slotBegin(let number): slot = (Int(number), lattice.lower[Int(place)], [])
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

/// How far a text has come on its way to a sentence of a grammar.
public enum CommandProgress: Sendable, Hashable {
  /// It is no sentence and none begins like this.
  case none
  /// A sentence begins like this.
  case beginning
  /// It is a sentence, and a longer one begins like this.
  case sentenceOrBeginning
  /// It is a sentence, and nothing can follow.
  case sentence
}

extension CommandMatch {
  /// Whether an app would see no difference.
  fileprivate func meansTheSame(as other: CommandMatch) -> Bool {
    intent == other.intent && slots == other.slots && tags == other.tags
  }
}
