import AIServices
import Foundation

/// The subset of JSON Schema that answers are checked against: types, members, elements, choices
/// and limits. Unknown keywords are ignored, as the standard requires.
struct JSONSchema: Sendable, Hashable {
  let value: SendableValue

  private static let maximumDepth = 64

  init(_ value: SendableValue) {
    self.value = value
  }

  /// Returns the violations of the schema with their paths, like `$.pairs[3].target: …`; at most
  /// twenty.
  func errors(in value: SendableValue) -> [String] {
    var errors: [String] = []
    check(value, self.value, "$", Self.maximumDepth, &errors)
    return Array(errors.prefix(20))
  }

  private func check(
    _ value: SendableValue, _ schema: SendableValue, _ path: String, _ depth: Int,
    _ errors: inout [String]
  ) {
    guard depth > 0, errors.count < 20 else { return }
    if schema == .bool(false) {
      errors.append("\(path): is not allowed")
      return
    }
    guard let rules = schema.dictionaryValue else { return }
    if let types = rules["type"].map(Self.names), !types.contains(where: { value.isOf(type: $0) }) {
      errors.append("\(path): is not of type \(types.joined(separator: " or "))")
      return
    }
    if let choices = rules["enum"]?.arrayValue, !choices.contains(value) {
      errors.append("\(path): is not an allowed value")
    }
    if let only = rules["const"], only != value { errors.append("\(path): is another value") }
    if let choices = rules["anyOf"]?.arrayValue {
      let fits = choices.contains { choice in
        var wrong: [String] = []
        check(value, choice, path, depth - 1, &wrong)
        return wrong.isEmpty
      }
      if !fits { errors.append("\(path): has no allowed form") }
    }
    switch value {
    case .dictionary(let members): check(members, rules, path, depth, &errors)
    case .array(let elements): check(elements, rules, path, depth, &errors)
    case .string(let text): checkLimits(text.count, rules, "Length", "characters", path, &errors)
    case .int, .double: check(number: value.doubleValue ?? 0, rules, path, &errors)
    case .bool, .null: break
    }
  }

  private func check(
    _ members: [String: SendableValue], _ rules: [String: SendableValue], _ path: String,
    _ depth: Int, _ errors: inout [String]
  ) {
    for name in rules["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    where members[name] == nil {
      errors.append("\(path).\(name): is missing")
    }
    let known = rules["properties"]?.dictionaryValue ?? [:]
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      if let rule = known[name] ?? rules["additionalProperties"] {
        check(member, rule, "\(path).\(name)", depth - 1, &errors)
      }
    }
  }

  private func check(
    _ elements: [SendableValue], _ rules: [String: SendableValue], _ path: String, _ depth: Int,
    _ errors: inout [String]
  ) {
    checkLimits(elements.count, rules, "Items", "elements", path, &errors)
    guard let rule = rules["items"] else { return }
    for (index, element) in elements.enumerated() {
      check(element, rule, "\(path)[\(index)]", depth - 1, &errors)
      if errors.count >= 20 { return }
    }
  }

  private func checkLimits(
    _ count: Int, _ rules: [String: SendableValue], _ what: String, _ unit: String, _ path: String,
    _ errors: inout [String]
  ) {
    if let least = rules["min\(what)"]?.intValue, count < least {
      errors.append("\(path): has fewer than \(least) \(unit)")
    }
    if let most = rules["max\(what)"]?.intValue, count > most {
      errors.append("\(path): has more than \(most) \(unit)")
    }
  }

  private func check(
    number: Double, _ rules: [String: SendableValue], _ path: String, _ errors: inout [String]
  ) {
    if let least = rules["minimum"]?.doubleValue, number < least {
      errors.append("\(path): is less than \(least)")
    }
    if let most = rules["maximum"]?.doubleValue, number > most {
      errors.append("\(path): is more than \(most)")
    }
  }

  private static func names(_ value: SendableValue) -> [String] {
    value.stringValue.map { [$0] } ?? value.arrayValue?.compactMap(\.stringValue) ?? []
  }
}

extension SendableValue {
  fileprivate func isOf(type: String) -> Bool {
    switch (type, self) {
    case ("string", .string), ("integer", .int), ("number", .int), ("number", .double),
      ("boolean", .bool), ("null", .null), ("array", .array), ("object", .dictionary):
      true
    case ("integer", .double(let value)): value == value.rounded()
    default: false
    }
  }

  /// Finds the first JSON value in the output of a model, which may be in a code fence or among
  /// words.
  init?(answer: String) {
    let text = AnswerCleanup.withoutFence(answer.trimmed)
    if let value = Self.decoded(text) {
      self = value
      return
    }
    guard let start = text.firstIndex(where: { $0 == "{" || $0 == "[" }),
      let end = text.lastIndex(of: text[start] == "{" ? "}" : "]"), start < end,
      let value = Self.decoded(String(text[start...end]))
    else { return nil }
    self = value
  }

  private static func decoded(_ text: String) -> SendableValue? {
    try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8))
  }

  /// The value as JSON on several lines.
  var prettyJSON: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
