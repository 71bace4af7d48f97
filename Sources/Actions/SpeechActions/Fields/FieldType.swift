import AIServices
import Foundation
import SpeechText

/// The values that a field accepts.
package enum FieldType: Sendable {
  case text(isMultiline: Bool = false)
  case wholeNumber(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case bool
  /// A length of time, like `20s`.
  case duration
  case choice([FieldChoice])
  /// Any of several, in order.
  case choices([FieldChoice])
  case list
  case pairs
  case json

  static func choice<Choices: FieldChoices>(of _: Choices.Type) -> FieldType {
    .choice(Choices.fieldChoices)
  }

  static func choices<Choices: FieldChoices>(of _: Choices.Type) -> FieldType {
    .choices(Choices.fieldChoices)
  }

  /// The placeholder of a value in the help of commands.
  var placeholder: String {
    switch self {
    case .text, .choice, .choices, .list: "TEXT"
    case .wholeNumber: "COUNT"
    case .number(let range): "\(Int(range.lowerBound))…\(Int(range.upperBound))"
    case .bool: "on|off"
    case .duration: "TIME"
    case .pairs: "NAME=VALUE"
    case .json: "FILE"
    }
  }

  /// The accepted values, like “a whole number from 1 to 256”.
  private var requirement: String {
    switch self {
    case .text: "a text"
    case .wholeNumber(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .bool: "true or false"
    case .duration: "a time like 800ms, 20s, 2m or 1h"
    case .choice(let choices), .choices(let choices):
      choices.dropLast().map(\.name).joined(separator: ", ") + " or " + (choices.last?.name ?? "")
    case .list: "a list of texts"
    case .pairs: "a table of texts"
    case .json: "a JSON object"
    }
  }

  /// Reads a value from text, as options give it.
  package func value(of text: String) throws(FieldError) -> SendableValue {
    let value: SendableValue? =
      switch self {
      case .text, .choice, .duration, .json: .string(text)
      case .wholeNumber: Int(text).map { .int($0) }
      case .number: Double(text).map { .double($0) }
      case .bool: ["on": true, "true": true, "off": false, "false": false][text].map { .bool($0) }
      case .choices, .list: .array([.string(text)])
      case .pairs:
        text.firstIndex(of: "=").flatMap { sign in
          let value = SendableValue.string(String(text[text.index(after: sign)...]))
          return sign == text.startIndex ? nil : .dictionary([String(text[..<sign]): value])
        }
      }
    guard let value else { throw error(found: Self.quoted(text)) }
    return try checked(value)
  }

  /// Returns a value that is of this type and within its limits.
  package func checked(_ value: SendableValue) throws(FieldError) -> SendableValue {
    switch (self, value) {
    case (.text, .string), (.bool, .bool), (.json, .dictionary): return value
    case (.list, .array) where value.texts != nil: return value
    case (.pairs, .dictionary(let members)) where members.values.allSatisfy(\.isText): return value
    case (.wholeNumber(let range), .int(let number)):
      if range.contains(number) { return value }
      throw error(found: "\(number)")
    case (.number(let range), .int), (.number(let range), .double):
      let number = value.doubleValue ?? .nan
      if range.contains(number) { return .double(number) }
      throw error(found: Self.plain(number))
    case (.duration, .string(let text)):
      if let time = DurationText.duration(text), time > .zero { return value }
      throw error(found: Self.quoted(text))
    case (.choice(let choices), .string(let name)):
      try check([name], among: choices)
      return value
    case (.choices(let choices), .array) where value.texts != nil:
      try check(value.texts ?? [], among: choices)
      return value
    case (.json, .string(let text)):
      let json = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8))
      if let json, json.dictionaryValue != nil { return json }
      throw error(found: json == nil ? Self.quoted(text) : "another JSON value")
    default: throw error(found: Self.kind(of: value))
    }
  }

  private func check(_ names: [String], among choices: [FieldChoice]) throws(FieldError) {
    let known = choices.map(\.name)
    guard let wrong = names.first(where: { !known.contains($0) }) else { return }
    let near = NearestName.of(wrong, among: known).map { " Did you mean “\($0)”?" }
    throw error(found: Self.quoted(wrong), advice: near ?? "")
  }

  private func error(found: String, advice: String = "") -> FieldError {
    FieldError(message: "must be \(requirement), not \(found)." + advice)
  }

  private static func kind(of value: SendableValue) -> String {
    switch value {
    case .string: "a text"
    case .int: "a whole number"
    case .double: "a number"
    case .bool: "true or false"
    case .array: value.texts == nil ? "a list of other values" : "a list"
    case .dictionary(let members):
      members.values.allSatisfy(\.isText) ? "a table" : "a table of other values"
    case .null: "nothing"
    }
  }

  private static func quoted(_ text: String) -> String { "“\(text.prefix(60))”" }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
  }
}

/// A value that a field does not accept.
package struct FieldError: Error, Sendable, Hashable {
  /// The error as a predicate, like “must be a number from 0 to 2, not “3”.”
  package var message: String
}

/// One of the values of a field: its name in files and commands, and its title on screens.
package struct FieldChoice: Sendable, Encodable {
  package var name: String
  package var title: String
}

/// A type whose values are the choices of a field.
package protocol FieldChoices: RawRepresentable<String>, CaseIterable, Sendable, FieldConvertible {
  /// The value on screens.
  var title: String { get }
}

extension FieldChoices {
  static var fieldChoices: [FieldChoice] {
    allCases.map { FieldChoice(name: $0.rawValue, title: $0.title) }
  }

  package var fieldValue: SendableValue? { .string(rawValue) }

  package init?(fieldValue: SendableValue?) {
    guard let name = fieldValue?.stringValue else { return nil }
    self.init(rawValue: name)
  }
}

extension SendableValue {
  fileprivate var isText: Bool { stringValue != nil }

  fileprivate var texts: [String]? {
    guard let elements = arrayValue, elements.allSatisfy(\.isText) else { return nil }
    return elements.compactMap(\.stringValue)
  }
}
