import AIServices

/// An answer as data, checked against its schema.
public enum StructuredAnswer: Sendable, Hashable {
  /// Sentences with their translations.
  case sentencePairs([SentencePair])
  /// A corrected text with the reasons for each correction.
  case corrections(Corrections)
  /// The differences from the original text.
  case diff([DiffPiece])
  /// Data that follows an action's own schema.
  case json(SendableValue)
}

/// A sentence and its translation.
public struct SentencePair: Sendable, Hashable, Codable {
  /// The sentence in the original text.
  public var source: String
  /// The translation of the sentence.
  public var target: String
}

/// A corrected text with the reasons.
public struct Corrections: Sendable, Hashable, Codable {
  /// A correction of a passage.
  public struct Item: Sendable, Hashable, Codable {
    /// The passage in the original text.
    public var original: String
    /// The passage after the correction.
    public var replacement: String
    /// The reason for the correction.
    public var reason: String
  }

  /// The complete text after all corrections.
  public var corrected: String
  /// The corrections, in the order of the text.
  public var items: [Item]
}

/// A piece of a text that is kept, deleted or inserted.
public struct DiffPiece: Sendable, Hashable, Codable {
  /// The change to a piece.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The piece is in both texts.
    case keep
    /// The piece is only in the original text.
    case delete
    /// The piece is only in the new text.
    case insert
  }

  /// The change to the piece.
  public var kind: Kind
  /// The text of the piece.
  public var text: String
}
