/// What there is to know of a grammar before anybody speaks.
///
/// ```swift
/// let summary = try GrammarSummary(grammar)
/// print(summary.sentences, summary.madeWords.map(\.word))
/// ```
public struct GrammarSummary: Sendable, Hashable, Codable {
  /// A part that the app gets to know.
  public struct Slot: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// “values”, “number”, “time” and so on.
    public var type: String
    /// The codes of its values; empty for a ready-made slot.
    public var values: [String]
  }

  /// A word that the recogniser's dictionary lacks, and how it is expected to be said.
  public struct Word: Sendable, Hashable, Codable {
    /// The word.
    public var word: String
    /// Its phones; empty if nothing is known.
    public var pronunciations: [String]
  }

  /// Its name.
  public var name: String
  /// The names of its intents.
  public var intents: [String]
  /// Its slots.
  public var slots: [Slot]
  /// How many sentences there are, in words where there are too many for a number.
  public var sentences: String
  /// How deep its phrases are nested, rules included.
  public var depth: Int
  /// How many different words there are.
  public var wordCount: Int
  /// The words whose pronunciation was made up.
  public var madeWords: [Word]

  /// Looks through a grammar.
  ///
  /// - Throws: `SpeechRecognitionError` without a model for English, or `CommandGrammarError`.
  public init(_ grammar: TestedGrammar) throws {
    let commands = grammar.commands
    let words = try PocketSphinxWords(
      configuration: grammar.configuration(), locale: Locale(identifier: "en-US"))
    name = commands.name
    intents = commands.intents.map(\.name)
    sentences = try commands.sentenceCount().description
    var walk = PhraseWalk(commands)
    for intent in commands.intents { walk.visit(intent.phrase, depth: 1) }
    depth = walk.depth
    slots = walk.slots
    let all = Set(try commands.jsgf().words.map(\.text))
    wordCount = all.count
    madeWords = try all.sorted().compactMap { word in
      let known = try words.explain(word).pronunciations
      guard known.allSatisfy({ [.derived, .spelling].contains($0.origin) }) else { return nil }
      return Word(word: word, pronunciations: known.map(\.text))
    }
  }

  /// The summary as lines for a person.
  public var text: String {
    var lines = [
      "grammar    \(name)", "intents    \(intents.joined(separator: ", "))",
      "sentences  \(sentences)", "depth      \(depth)", "words      \(wordCount)",
    ]
    lines += slots.map { slot in
      let values = slot.values.prefix(12).joined(separator: ", ")
      let more = slot.values.count > 12 ? " and \(slot.values.count - 12) more" : ""
      return "slot       {\(slot.name)} \(slot.values.isEmpty ? slot.type : values + more)"
    }
    lines += madeWords.map { word in
      let said =
        word.pronunciations.isEmpty
        ? "nothing is known of how it is said" : word.pronunciations.joined(separator: ", ")
      return "made up    \(word.word): \(said)"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Goes through the phrases of a grammar once.
private struct PhraseWalk {
  private let rules: [String: Phrase]
  private var open: Set<String> = []
  private var deepest: [String: Int] = [:]
  private(set) var depth = 0
  private(set) var slots: [GrammarSummary.Slot] = []

  init(_ grammar: CommandGrammar) {
    rules = Dictionary(grammar.rules.map { ($0.name, $0.phrase) }) { first, _ in first }
  }

  mutating func visit(_ phrase: Phrase, depth: Int) {
    self.depth = max(self.depth, depth)
    switch phrase {
    case .rule(let name):
      // A rule may lead back to itself at its end; and is looked at again only where it is used deeper.
      guard let inner = rules[name], depth > deepest[name, default: 0], open.insert(name).inserted
      else { return }
      deepest[name] = depth
      visit(inner, depth: depth + 1)
      open.remove(name)
    case .slot(let name, let type):
      let slot = GrammarSummary.Slot(name: name, type)
      if !slots.contains(slot) { slots.append(slot) }
      if case .values(let values) = type {
        for value in values { visit(value.phrase, depth: depth + 1) }
      }
    default:
      for part in phrase.parts { visit(part, depth: depth + 1) }
    }
  }
}

extension GrammarSummary.Slot {
  init(name: String, _ type: SlotType) {
    switch type {
    case .values(let values): self.init(name: name, type: "values", values: values.map(\.code))
    case .number(let range):
      self.init(
        name: name, type: "number \(range.lowerBound) to \(range.upperBound)", values: [])
    case .ordinal(let range):
      self.init(
        name: name, type: "ordinal \(range.lowerBound) to \(range.upperBound)", values: [])
    case .time: self.init(name: name, type: "time", values: [])
    case .date: self.init(name: name, type: "date", values: [])
    case .duration: self.init(name: name, type: "duration", values: [])
    }
  }
}
