/// The facts about a grammar that are known before anyone speaks.
///
/// ```swift
/// let summary = try GrammarSummary(grammar)
/// print(summary.sentences, summary.madeWords.map(\.word))
/// ```
public struct GrammarSummary: Sendable, Hashable, Codable {
  /// A slot whose value the app receives.
  public struct Slot: Sendable, Hashable, Codable {
    /// The name of the slot.
    public var name: String
    /// The type of the slot: “values”, “number”, “time” and so on.
    public var type: String
    /// The codes of its values; empty for a built-in slot type.
    public var values: [String]
  }

  /// A word that the recogniser's dictionary lacks, with its derived pronunciations.
  public struct Word: Sendable, Hashable, Codable {
    /// The word in its written form.
    public var word: String
    /// The phones of its pronunciations; empty if none is known.
    public var pronunciations: [String]
  }

  /// The name of the grammar.
  public var name: String
  /// The names of its intents.
  public var intents: [String]
  /// The slots of its commands.
  public var slots: [Slot]
  /// The number of its sentences, in words if it is too large for digits.
  public var sentences: String
  /// The depth to which its phrases are nested, including rules.
  public var depth: Int
  /// The number of different words.
  public var wordCount: Int
  /// The words whose pronunciation was derived.
  public var madeWords: [Word]

  /// Examines a grammar.
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
    let all = Set(try commands.jsgf().words)
    wordCount = all.count
    madeWords = try all.sorted().compactMap { word in
      let known = try words.explain(word).pronunciations
      guard known.allSatisfy({ [.derived, .spelling].contains($0.origin) }) else { return nil }
      return Word(word: word, pronunciations: known.map(\.text))
    }
  }

  /// The summary as lines of text.
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
        ? "no pronunciation is known" : word.pronunciations.joined(separator: ", ")
      return "derived    \(word.word): \(said)"
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Visits the phrases of a grammar once.
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
      // A rule may refer to itself at its end. It is visited again only where it is nested deeper.
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
    let text =
      switch type {
      case .values: "values"
      case .number(let range): "number \(range.lowerBound) to \(range.upperBound)"
      case .ordinal(let range): "ordinal \(range.lowerBound) to \(range.upperBound)"
      case .time: "time"
      case .date: "date"
      case .duration: "duration"
      }
    let values = if case .values(let values) = type { values.map(\.code) } else { [String]() }
    self.init(name: name, type: text, values: values)
  }
}
