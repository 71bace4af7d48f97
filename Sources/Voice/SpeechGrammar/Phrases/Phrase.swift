/// What may be said in one place of a command.
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
  /// A word.
  case word(String)
  /// What the rule of that name stands for.
  case rule(String)
  /// A part that the app wants to know about.
  case slot(String, SlotType)
  /// One after the other; nothing at all if it is empty.
  case sequence([Phrase])
  /// One of them.
  case choice([Alternative])
  /// It or nothing.
  case optional(Phrase)
  /// It, at least and at most so many times; without an end if there is no maximum.
  case repeated(Phrase, minimum: Int, maximum: Int?)
  /// It, with tags for the program.
  case tagged(Phrase, [String])
  /// What can never be said.
  case never

  /// One of several possibilities.
  public struct Alternative: Sendable, Hashable {
    /// What may be said.
    public var phrase: Phrase
    /// How likely it is beside the others, which count one if nothing is said; zero is never.
    public var weight: Double?

    /// A possibility.
    public init(_ phrase: Phrase, weight: Double? = nil) {
      self.phrase = phrase
      self.weight = weight
    }
  }

  /// Nothing, which is always said.
  public static let nothing = Phrase.sequence([])

  /// The words of a text, one after the other. Commas, full stops, question marks and the like at the
  /// ends of words say nothing.
  public init(_ words: String) {
    self = .joined(words.split(whereSeparator: \.isWhitespace).compactMap(Self.plainWord))
  }

  /// The phrases one after the other, in the one form in which phrases are compared: sequences within
  /// are opened, and what is alone stands for itself.
  public static func joined(_ phrases: [Phrase]) -> Phrase {
    var parts: [Phrase] = []
    for phrase in phrases {
      if case .sequence(let inner) = phrase { parts += inner } else { parts.append(phrase) }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// One of the phrases, in the one form in which phrases are compared: choices within that have no
  /// weights are opened, and what is alone and has no weight stands for itself.
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

  /// One of the phrases.
  static func either(_ phrases: [Phrase]) -> Phrase { either(phrases.map { Alternative($0) }) }

  /// One of the texts.
  static func either(_ texts: String...) -> Phrase { either(texts.map { Phrase($0) }) }

  /// It, with one tag behind it.
  func tag(_ tag: String) -> Phrase { .tagged(self, [tag]) }

  private static func plainWord(_ text: Substring) -> Phrase? {
    let plain = WrittenWord.plain(text)
    return plain.isEmpty ? nil : .word(plain)
  }
}

extension Phrase {
  /// The phrases that it is made of, those of slots left out.
  package var parts: [Phrase] {
    switch self {
    case .word, .rule, .slot, .never: []
    case .sequence(let parts): parts
    case .choice(let parts): parts.map(\.phrase)
    case .optional(let part), .repeated(let part, _, _), .tagged(let part, _): [part]
    }
  }
}
