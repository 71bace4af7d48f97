import AIServices
import Foundation

extension StructuredAnswer {
  /// Reads and checks an answer.
  ///
  /// - Parameter original: The text that the answer is about.
  /// - Returns: `nil` if text is expected.
  /// - Throws: `ActionError.unexpectedAnswer` with the position of the first mismatch.
  init?(
    _ answer: String, expected: OutputExpectation, original: String
  ) throws(ActionError) {
    guard let schema = expected.schema else { return nil }
    guard let value = SendableValue(answer: answer) else {
      throw .unexpectedAnswer(
        "The answer is not JSON. Try again, or choose a model that supports schemas."
      )
    }
    let errors = JSONSchema(schema).errors(in: value)
    guard errors.isEmpty else {
      throw .unexpectedAnswer(
        "The answer does not follow the schema (\(errors.prefix(3).joined(separator: "; "))). Try "
          + "again, or choose a model that supports schemas.")
    }
    switch expected {
    case .sentencePairs: self = .sentencePairs(try Self.decode([SentencePair].self, "pairs", value))
    case .corrections: self = .corrections(try Self.decode(Corrections.self, nil, value))
    case .diff:
      let pieces = try Self.decode([DiffPiece].self, "pieces", value)
      let before = pieces.filter { $0.kind != .insert }.map(\.text).joined()
      guard before.withoutBlanks == original.withoutBlanks else {
        throw .unexpectedAnswer(
          "The kept and deleted pieces of the answer are not the original text. Try again.")
      }
      self = .diff(pieces)
    case .text, .markdown, .json: self = .json(value)
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ member: String?, _ value: SendableValue
  ) throws(ActionError) -> Value {
    let part = member.flatMap { value.dictionaryValue?[$0] } ?? value
    do {
      return try JSONDecoder().decode(type, from: Data(part.json.utf8))
    } catch {
      throw .unexpectedAnswer("The answer does not have the expected format. Try again.")
    }
  }
}

extension StructuredAnswer {
  /// The text that replaces the original.
  package var replacement: String {
    switch self {
    case .sentencePairs(let pairs): pairs.map(\.target).joined(separator: " ")
    case .corrections(let corrections): corrections.corrected
    case .diff(let pieces): pieces.filter { $0.kind != .delete }.map(\.text).joined()
    case .json(let value): value.prettyJSON
    }
  }

  package var rendered: String {
    switch self {
    case .sentencePairs(let pairs):
      return pairs.map { "\($0.source)\n  \($0.target)" }.joined(separator: "\n\n")
    case .corrections(let corrections):
      guard !corrections.items.isEmpty else { return corrections.corrected }
      let reasons = corrections.items.map { item in
        "- “\(item.original)” → “\(item.replacement)”: \(item.reason)"
      }
      return corrections.corrected + "\n\n" + reasons.joined(separator: "\n")
    case .diff(let pieces):
      return Self.marked(pieces, deleted: ("[-", "-]"), inserted: ("{+", "+}"))
    case .json(let value): return value.prettyJSON
    }
  }

  package var ansi: String {
    guard case .diff(let pieces) = self else { return rendered.withoutControls }
    let plain = pieces.map { DiffPiece(kind: $0.kind, text: $0.text.withoutControls) }
    return Self.marked(
      plain, deleted: ("\u{1B}[31;9m", "\u{1B}[0m"), inserted: ("\u{1B}[32m", "\u{1B}[0m"))
  }

  private static func marked(
    _ pieces: [DiffPiece], deleted: (String, String), inserted: (String, String)
  ) -> String {
    pieces.map { piece in
      switch piece.kind {
      case .keep: piece.text
      case .delete: deleted.0 + piece.text + deleted.1
      case .insert: inserted.0 + piece.text + inserted.1
      }
    }.joined()
  }
}

extension String {
  fileprivate var withoutBlanks: String { filter { !$0.isWhitespace } }
}
