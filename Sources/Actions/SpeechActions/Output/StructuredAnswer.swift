import AIServices

/// An answer that came as data and is what the schema prescribes.
public enum StructuredAnswer: Sendable, Hashable {
  /// Sentences with their translations.
  case sentencePairs([SentencePair])
  /// What was corrected and why.
  case corrections(Corrections)
  /// How the text was changed.
  case diff([DiffPiece])
  /// Data that follows an action's own schema.
  case json(SendableValue)
}

/// A sentence and its translation.
public struct SentencePair: Sendable, Hashable, Codable {
  /// The sentence of the text.
  public var source: String
  /// What it says in the other language.
  public var target: String

  /// A pair.
  package init(source: String, target: String) {
    self.source = source
    self.target = target
  }
}

/// A corrected text with the reasons.
public struct Corrections: Sendable, Hashable, Codable {
  /// One correction.
  public struct Item: Sendable, Hashable, Codable {
    /// The words as they were.
    public var original: String
    /// The words as they should be.
    public var replacement: String
    /// Why.
    public var reason: String

    /// A correction.
    package init(original: String, replacement: String, reason: String) {
      self.original = original
      self.replacement = replacement
      self.reason = reason
    }
  }

  /// The whole text, corrected.
  public var corrected: String
  /// Each correction, in the order of the text.
  public var items: [Item]

  /// Corrections.
  package init(corrected: String, items: [Item]) {
    self.corrected = corrected
    self.items = items
  }
}

/// A stretch of a text that stays, goes or comes.
public struct DiffPiece: Sendable, Hashable, Codable {
  /// What becomes of it.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// It stays.
    case keep
    /// It goes.
    case delete
    /// It comes.
    case insert
  }

  /// What becomes of it.
  public var kind: Kind
  /// The stretch.
  public var text: String

  /// A piece.
  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
