import AIServices

/// A value of a field, independent of the form in which it is stored or shown.
package enum FieldValue: Sendable, Hashable {
  case text(String)
  case wholeNumber(Int)
  case number(Double)
  case bool(Bool)
  case duration(Duration)
  case list([String])
  case pairs([String: String])
  case json(SendableValue)
  /// A value that no field accepts, by its description.
  case unsupported(String)

  /// True for a value that says no more than no value would.
  var isBlank: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .bool(let value): !value
    case .list(let texts): texts.isEmpty
    case .pairs(let pairs): pairs.isEmpty
    case .wholeNumber, .number, .duration, .json, .unsupported: false
    }
  }
}

/// A value that a field does not accept.
package struct FieldError: Error, Sendable, Hashable {
  /// The values that are accepted, like “a number from 0 to 2”.
  package var requirement: String
  /// The rejected value.
  package var found: String
  /// A further sentence, like “Did you mean “openai”?”; empty for none.
  package var advice = ""

  /// The error as a predicate, like “must be a number from 0 to 2, not “3”.”
  package var message: String {
    "must be \(requirement), not \(found)." + advice
  }
}
