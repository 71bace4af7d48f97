import AIServices

extension OutputExpectation {
  /// The schema that the answer has to follow; `nil` for text.
  package var schema: SendableValue? {
    switch self {
    case .text, .markdown: nil
    case .sentencePairs: Self.pairs
    case .corrections: Self.corrected
    case .diff: Self.pieces
    case .json(let schema): schema
    }
  }

  // Every member is required and no other allowed, as services that enforce schemas want it.
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
        "source": text("A sentence of the text as it stands there"),
        "target": text("The same sentence in the other language"),
      ]))
  ])

  private static let corrected = object([
    "corrected": text("The whole text with all corrections made"),
    "items": list(
      object([
        "original": text("The words as they stand in the text"),
        "replacement": text("The words as they should be"),
        "reason": text("Why, in one sentence"),
      ])),
  ])

  private static let pieces = object([
    "pieces": list(
      object([
        "kind": ["type": "string", "enum": ["keep", "delete", "insert"]],
        "text": text(
          "A stretch of the text, blanks included; all that is kept or deleted makes the text as it was"
        ),
      ]))
  ])
}
