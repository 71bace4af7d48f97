import AIServices

extension OutputExpectation {
  /// The schema that the answer must follow; `nil` for text.
  package var schema: SendableValue? {
    switch self {
    case .text, .markdown: nil
    case .sentencePairs: Self.pairs
    case .corrections: Self.corrected
    case .diff: Self.pieces
    case .json(let schema): schema
    }
  }

  // All members are required and no others allowed, because services that enforce schemas expect
  // that.
  private static func object(_ members: [String: SendableValue]) -> SendableValue {
    [
      "type": "object", "properties": .dictionary(members), "additionalProperties": false,
      "required": .array(members.keys.sorted().map { .string($0) }),
    ]
  }

  private static func list(_ element: SendableValue) -> SendableValue {
    ["type": "array", "items": element]
  }

  private static func text(_ meaning: String) -> SendableValue {
    ["type": "string", "description": .string(meaning)]
  }

  private static let pairs = object([
    "pairs": list(
      object([
        "source": text("A sentence of the text, unchanged"),
        "target": text("The same sentence in the other language"),
      ]))
  ])

  private static let corrected = object([
    "corrected": text("The whole text with all corrections made"),
    "items": list(
      object([
        "original": text("The words in the text, unchanged"),
        "replacement": text("The words as they should be"),
        "reason": text("Why, in one sentence"),
      ])),
  ])

  private static let pieces = object([
    "pieces": list(
      object([
        "kind": ["type": "string", "enum": ["keep", "delete", "insert"]],
        "text": text(
          "A piece of the text with its whitespace; the kept and deleted pieces together are the "
            + "original text"
        ),
      ]))
  ])
}
