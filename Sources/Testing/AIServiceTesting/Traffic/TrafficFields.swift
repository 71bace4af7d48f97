import AIServices
import Foundation
import SpeechText

/// The members of a line, each to be taken once.
struct TrafficFields {
  private typealias Fault = JSONLine.Fault

  private let members: [JSONLine.Member]
  private var taken: [String] = []

  init(_ members: [JSONLine.Member]) {
    self.members = members
  }

  mutating func text(_ name: String) throws(JSONLine.Fault) -> String {
    if let text = try optionalText(name) { return text }
    throw missing(name)
  }

  mutating func optionalText(_ name: String) throws(JSONLine.Fault) -> String? {
    guard let value = take(name) else { return nil }
    return try Self.text(value, name)
  }

  mutating func integer(_ name: String) throws(JSONLine.Fault) -> Int {
    guard let value = take(name) else { throw missing(name) }
    guard case .number(let text) = value.content, let number = Int(text) else {
      throw wrong(value, "“\(name)” has to be a whole number")
    }
    return number
  }

  /// A status of HTTP.
  mutating func status(_ name: String) throws(JSONLine.Fault) -> Int {
    let status = try integer(name)
    guard (100...999).contains(status) else {
      throw Fault(offset: members[0].value.offset, message: "A status has three digits.")
    }
    return status
  }

  /// A time in seconds; none is no time.
  mutating func time(_ name: String) throws(JSONLine.Fault) -> Duration {
    guard let value = take(name) else { return .zero }
    guard case .number(let text) = value.content, let seconds = Double(text),
      (0...1e9).contains(seconds)
    else {
      throw Fault(
        offset: value.offset, message: "“\(name)” has to be a time in seconds, 0 or more.")
    }
    return .microseconds(Int64((seconds * 1e6).rounded()))
  }

  mutating func headers() throws(JSONLine.Fault) -> [RecordedExchange.Field] {
    guard let value = take("headers") else { return [] }
    guard case .array(let pairs) = value.content else {
      throw wrong(value, "“headers” has to be a list")
    }
    var fields: [RecordedExchange.Field] = []
    for pair in pairs {
      guard case .array(let two) = pair.content, two.count == 2 else {
        throw Fault(
          offset: pair.offset, message: "A header has to be a list of its name and its value.")
      }
      fields.append(
        .init(try Self.text(two[0], "the name"), try Self.text(two[1], "the value")))
    }
    return fields
  }

  /// What stands as text under the name, or in base 64 under the name with 64.
  mutating func bytes(_ name: String) throws(JSONLine.Fault) -> Data? {
    if let text = try optionalText(name) { return Data(text.utf8) }
    guard let value = take(name + "64") else { return nil }
    guard let data = Data(base64Encoded: try Self.text(value, name + "64")) else {
      throw Fault(offset: value.offset, message: "This is not base 64.")
    }
    return data
  }

  /// A message of a WebSocket: text under the name, bytes in base 64 under the name with 64.
  mutating func message(_ name: String) throws(JSONLine.Fault) -> WebSocketMessage {
    if let text = try optionalText(name) { return .text(text) }
    guard let data = try bytes(name) else { throw missing(name) }
    return .binary(data)
  }

  /// How a WebSocket is closed, its code under that name.
  mutating func close(_ name: String) throws(JSONLine.Fault) -> WebSocketClose {
    let offset = members[0].value.offset
    guard let code = UInt16(exactly: try integer(name)), code >= 1_000 else {
      throw Fault(offset: offset, message: "A code for closing is a number from 1000 on.")
    }
    return WebSocketClose(code: code, reason: try optionalText("reason") ?? "")
  }

  /// A failure whose kind has that name; `nil` where there is no such failure.
  mutating func failure(_ word: String) throws(JSONLine.Fault) -> RecordedFailure? {
    guard let kind = RecordedFailure.Kind(rawValue: word) else { return nil }
    let failure = RecordedFailure(kind, try optionalText("detail") ?? "")
    guard failure.failure != nil else {
      throw Fault(offset: members[0].offset, message: "The detail does not fit “\(word)”.")
    }
    return failure
  }

  /// All that is there has been taken.
  func finish() throws(JSONLine.Fault) {
    var seen: Set<String> = []
    for member in members {
      guard taken.contains(member.name) else {
        throw Fault(offset: member.offset, message: Self.unknown(member.name, among: asked))
      }
      guard seen.insert(member.name).inserted else {
        throw Fault(offset: member.offset, message: "“\(member.name)” is there twice.")
      }
    }
  }

  /// What is not known, and what was probably meant.
  static func unknown(_ name: String, among names: [String]) -> String {
    let advice = NearestName.of(name, among: names).map { " Did you mean “\($0)”?" } ?? ""
    return "“\(name.prefix(40))” is not known here.\(advice)"
  }

  private var asked: [String] {
    ["url", "headers", "body", "body64", "after", "detail", "reason"]
  }

  private mutating func take(_ name: String) -> JSONLine.Value? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    taken.append(name)
    return member.value
  }

  private static func text(
    _ value: JSONLine.Value, _ name: String
  ) throws(JSONLine.Fault) -> String {
    guard case .text(let text) = value.content else {
      throw Fault(
        offset: value.offset, message: "“\(name)” has to be a text, not \(value.content.kind).")
    }
    return text
  }

  private func missing(_ name: String) -> JSONLine.Fault {
    Fault(offset: members[0].offset, message: "“\(name)” is missing in this line.")
  }

  private func wrong(_ value: JSONLine.Value, _ message: String) -> JSONLine.Fault {
    Fault(offset: value.offset, message: "\(message), not \(value.content.kind).")
  }
}
