import SpeechActions

/// A field as the page shows it.
struct FieldView: Encodable, Sendable {
  struct Choice: Encodable, Sendable {
    var name: String
    var title: String
  }

  struct Condition: Encodable, Sendable {
    var key: String
    var value: String?
  }

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
  var choices: [Choice]?
  var condition: Condition?
  var isRequired: Bool

  static func views<Owner: FieldTable>(of _: Owner.Type) -> [FieldView] {
    Owner.fields.map { FieldView($0) }
  }

  private init<Owner>(_ field: Field<Owner>) {
    key = field.key
    title = field.title
    help = field.help
    isRequired = field.isRequired
    condition = field.condition.map { Condition(key: $0.key, value: $0.value) }
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
      choices = Self.choices(all)
    case .choices(let all):
      type = "choices"
      choices = Self.choices(all)
    case .list: type = "list"
    case .pairs: type = "pairs"
    case .json: type = "json"
    }
  }

  private static func choices(_ all: [FieldChoice]) -> [Choice] {
    all.map { Choice(name: $0.name, title: $0.title) }
  }
}
