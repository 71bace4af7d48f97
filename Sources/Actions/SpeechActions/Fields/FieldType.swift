import AIServices
import Foundation
import SpeechText

/// The values that a field accepts.
package enum FieldType: Sendable {
  case text(isMultiline: Bool)
  case wholeNumber(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case bool
  /// A length of time, like `20s`.
  case duration
  /// One of several.
  case choice([FieldChoice])
  /// Any of several, in order.
  case choices([FieldChoice])
  case list
  case pairs
  /// A JSON object.
  case json

  /// The accepted values, like “a whole number from 1 to 256”.
  package var requirement: String {
    switch self {
    case .text: "a text"
    case .wholeNumber(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .bool: "true or false"
    case .duration: "a time like 800ms, 20s, 2m or 1h"
    case .choice(let choices), .choices(let choices): Self.alternatives(choices.map(\.name))
    case .list: "a list of texts"
    case .pairs: "a table of texts"
    case .json: "a JSON object"
    }
  }

  /// Reads a value from text, as options and forms give it.
  package func value(of text: String) throws(FieldError) -> FieldValue {
    switch self {
    case .text, .choice: return try checked(.text(text))
    case .wholeNumber:
      if let number = Int(text) { return try checked(.wholeNumber(number)) }
    case .number:
      if let number = Double(text) { return try checked(.number(number)) }
    case .bool:
      if ["on", "true"].contains(text) { return .bool(true) }
      if ["off", "false"].contains(text) { return .bool(false) }
    case .duration:
      if let time = DurationText.duration(text) { return try checked(.duration(time)) }
    case .choices, .list: return try checked(.list([text]))
    case .pairs:
      if let sign = text.firstIndex(of: "="), sign > text.startIndex {
        return .pairs([String(text[..<sign]): String(text[text.index(after: sign)...])])
      }
    case .json:
      let value = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8))
      if let value { return try checked(.json(value)) }
    }
    throw FieldError(requirement: requirement, found: "“\(text.prefix(60))”")
  }

  /// Returns a value that is of this type and within its limits.
  package func checked(_ value: FieldValue) throws(FieldError) -> FieldValue {
    switch (self, value) {
    case (.text, .text), (.bool, .bool), (.list, .list), (.pairs, .pairs): return value
    case (.wholeNumber(let range), .wholeNumber(let number)):
      if range.contains(number) { return value }
      throw FieldError(requirement: requirement, found: "\(number)")
    case (.number(let range), .number(let number)):
      if range.contains(number) { return value }
      throw FieldError(requirement: requirement, found: Self.plain(number))
    case (.number, .wholeNumber(let number)): return try checked(.number(Double(number)))
    case (.duration, .duration(let time)):
      if time > .zero { return value }
      throw FieldError(requirement: requirement, found: "“\(DurationText.written(time))”")
    case (.duration, .text(let text)), (.json, .text(let text)):
      return try self.value(of: text)
    case (.choice(let choices), .text(let name)):
      try Self.check(name, among: choices)
      return value
    case (.choices(let choices), .list(let names)):
      for name in names { try Self.check(name, among: choices) }
      return value
    case (.json, .json(let json)):
      if json.dictionaryValue != nil { return value }
      throw FieldError(requirement: requirement, found: "another JSON value")
    default: throw FieldError(requirement: requirement, found: Self.kind(of: value))
    }
  }

  private static func check(
    _ name: String, among choices: [FieldChoice]
  ) throws(FieldError) {
    let names = choices.map(\.name)
    guard !names.contains(name) else { return }
    let near = NearestName.of(name, among: names).map { " Did you mean “\($0)”?" }
    throw FieldError(
      requirement: alternatives(names), found: "“\(name.prefix(60))”", advice: near ?? "")
  }

  private static func alternatives(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  private static func kind(of value: FieldValue) -> String {
    switch value {
    case .text: "a text"
    case .wholeNumber: "a whole number"
    case .number: "a number"
    case .bool: "true or false"
    case .duration: "a time"
    case .list: "a list"
    case .pairs: "a table"
    case .json: "JSON"
    case .unsupported(let description): description
    }
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
  }
}

/// One of the values of a field: its name in files and commands, and its title on screens.
package struct FieldChoice: Sendable, Hashable {
  package var name: String
  package var title: String

  package init(_ name: String, _ title: String) {
    self.name = name
    self.title = title
  }
}

/// A type whose values are the choices of a field.
package protocol FieldChoices: RawRepresentable<String>, CaseIterable, Sendable {
  /// The value on screens.
  var title: String { get }
}

extension FieldChoices {
  static var fieldChoices: [FieldChoice] { allCases.map { FieldChoice($0.rawValue, $0.title) } }
}
