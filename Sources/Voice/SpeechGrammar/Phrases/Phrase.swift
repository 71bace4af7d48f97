/// A phrase of a command: words, slots, and alternatives of them.
///
/// In a builder a phrase is written as its parts, one after the other:
///
/// ```swift
/// let greeting = Phrase {
///   OneOf { "hello"; "good morning" }
///   Optionally { "computer" }
/// }
/// ```
public indirect enum Phrase: Sendable, Hashable {
  /// A single word.
  case word(String)
  /// The phrase of the rule with that name.
  case rule(String)
  /// A slot, whose value the app receives.
  case slot(String, SlotType)
  /// Phrases one after the other; silence if there are none.
  case sequence([Phrase])
  /// One of several alternatives.
  case choice([Alternative])
  /// A phrase that may be left out.
  case optional(Phrase)
  /// A phrase that is repeated; without a maximum, any number of times.
  case repeated(Phrase, minimum: Int, maximum: Int?)
  /// A phrase with tags for the program.
  case tagged(Phrase, [String])
  /// A phrase that cannot be spoken.
  case never

  /// One of several alternatives.
  public struct Alternative: Sendable, Hashable {
    package var phrase: Phrase
    /// The weight relative to the others, 1 by default; 0 excludes the alternative.
    package var weight: Double?

    /// Creates an alternative with an optional weight.
    public init(_ phrase: Phrase, weight: Double? = nil) {
      self.phrase = phrase
      self.weight = weight
    }

    /// True unless the weight is 0.
    var isPossible: Bool { weight != 0 }
  }

  /// The empty phrase, which matches silence.
  public static let nothing = Phrase.sequence([])

  /// Creates a phrase of the words of a text. Commas, full stops, question marks and the like at
  /// the ends of words are ignored.
  public init(_ words: String) {
    self = .joined(words.split(whereSeparator: \.isWhitespace).compactMap(Self.plainWord))
  }

  /// Joins phrases in the normal form in which they are compared: nested sequences are flattened,
  /// and a single phrase stands for itself.
  public static func joined(_ phrases: [Phrase]) -> Phrase {
    var parts: [Phrase] = []
    for phrase in phrases {
      if case .sequence(let inner) = phrase { parts += inner } else { parts.append(phrase) }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// Joins alternatives in the normal form in which they are compared: nested choices without
  /// weights are flattened, and a single phrase without a weight stands for itself.
  public static func either(_ alternatives: [Alternative]) -> Phrase {
    var parts: [Alternative] = []
    for alternative in alternatives {
      if alternative.weight == nil, case .choice(let inner) = alternative.phrase,
        inner.allSatisfy({ $0.weight == nil })
      {
        parts += inner
      } else {
        parts.append(alternative)
      }
    }
    if parts.isEmpty { return .never }
    return parts.count == 1 && parts[0].weight == nil ? parts[0].phrase : .choice(parts)
  }

  static func either(_ phrases: [Phrase]) -> Phrase { either(phrases.map { Alternative($0) }) }

  static func either(_ texts: String...) -> Phrase { either(texts.map { Phrase($0) }) }

  /// The phrase with a tag after it.
  func tag(_ tag: String) -> Phrase { .tagged(self, [tag]) }

  private static func plainWord(_ text: Substring) -> Phrase? {
    let plain = WrittenWord.plain(text)
    return plain.isEmpty ? nil : .word(plain)
  }
}

extension Phrase {
  /// The direct parts of the phrase, without those of slots.
  package var parts: [Phrase] {
    switch self {
    case .word, .rule, .slot, .never: []
    case .sequence(let parts): parts
    case .choice(let parts): parts.map(\.phrase)
    case .optional(let part), .repeated(let part, _, _), .tagged(let part, _): [part]
    }
  }

  /// The same phrase with other direct parts.
  func mapParts(_ transform: (Phrase) -> Phrase) -> Phrase {
    switch self {
    case .word, .rule, .slot, .never: self
    case .sequence(let parts): .sequence(parts.map(transform))
    case .choice(let parts):
      .choice(parts.map { Alternative(transform($0.phrase), weight: $0.weight) })
    case .optional(let part): .optional(transform(part))
    case .repeated(let part, let minimum, let maximum):
      .repeated(transform(part), minimum: minimum, maximum: maximum)
    case .tagged(let part, let tags): .tagged(transform(part), tags)
    }
  }

  /// The phrase in the normal form of `joined` and `either`.
  var normalized: Phrase {
    switch mapParts(\.normalized) {
    case .sequence(let parts): .joined(parts)
    case .choice(let parts): .either(parts)
    case let phrase: phrase
    }
  }

  /// The words outside of slots.
  var words: [String] {
    if case .word(let word) = self { return [word] }
    return parts.flatMap(\.words)
  }

  /// The rules that it uses, including those in the values of its slots.
  var usedRules: [String] {
    switch self {
    case .rule(let name): [name]
    case .slot(_, .values(let values)): values.flatMap(\.phrase.usedRules)
    default: parts.flatMap(\.usedRules)
    }
  }
}

extension Phrase: PhraseConvertible {
  /// The phrase itself, unchanged.
  public var phrase: Phrase { self }
}
