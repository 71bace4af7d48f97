import SpeechActions

/// A field as the page shows it.
struct FieldView: Encodable, Sendable {
  var key: String
  var title: String
  var help: String
  /// The control: “text”, “area”, “number”, “bool”, “duration”, “choice”, “choices”, “list”,
  /// “pairs” or “json”.
  var type: String
  var minimum: Double?
  var maximum: Double?
  /// The step of a number; “any” for numbers with a fraction.
  var step: String?
  var choices: [FieldChoice]?
  var condition: FieldCondition?
  var isRequired: Bool

  static func views<Owner: FieldTable>(of _: Owner.Type) -> [FieldView] {
    Owner.fields.map { FieldView($0) }
  }

  private init<Owner>(_ field: Field<Owner>) {
    key = field.key
    title = field.title
    help = field.help
    isRequired = field.isRequired
    condition = field.condition
    switch field.type {
    case .text(let isMultiline): type = isMultiline ? "area" : "text"
    case .wholeNumber(let range):
      type = "number"
      (minimum, maximum) = (Double(range.lowerBound), Double(range.upperBound))
      step = "1"
    case .number(let range):
      type = "number"
      (minimum, maximum) = (range.lowerBound, range.upperBound)
      step = "any"
    case .bool: type = "bool"
    case .duration: type = "duration"
    case .choice(let all):
      type = "choice"
      choices = all
    case .choices(let all):
      type = "choices"
      choices = all
    case .list: type = "list"
    case .pairs: type = "pairs"
    case .json: type = "json"
    }
  }
}
