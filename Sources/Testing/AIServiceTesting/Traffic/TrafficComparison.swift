import AIServices
import Foundation

/// The compared parts of a request.
struct ComparedRequest: Hashable {
  enum Body: Hashable {
    case none
    case json(SendableValue)
    case bytes([UInt8])
  }

  var method: String
  var path: String
  var query: String
  var body: Body

  init(_ request: RecordedExchange.Request) {
    method = request.method
    // The host is ignored, because the location of a service is a matter of configuration.
    let start = request.url.range(of: "://")?.upperBound ?? request.url.startIndex
    let target = request.url[start...].drop { $0 != "/" && $0 != "?" }
    let path = target.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : String(path)
    query = String(target.dropFirst(path.count + 1))
    body = request.body.map { Self.body($0, request) } ?? .none
  }

  private static func body(_ data: Data, _ request: RecordedExchange.Request) -> Body {
    if let json = try? JSONDecoder().decode(SendableValue.self, from: data) { return .json(json) }
    // The boundary of a form is random.
    guard let type = request.header("Content-Type"), type.lowercased().hasPrefix("multipart/"),
      let start = type.range(of: "boundary=")?.upperBound
    else { return .bytes(Array(data)) }
    let boundary = type[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
    return .bytes(
      Array(data).replacing(Array("--\(boundary)".utf8), with: Array("--boundary".utf8)))
  }
}

/// The compared parts of a WebSocket message.
struct ComparedMessage: Hashable {
  var isText: Bool
  var body: ComparedRequest.Body

  init(_ message: WebSocketMessage) {
    switch message {
    case .binary(let data):
      isText = false
      body = .bytes(Array(data))
    case .text(let text):
      isText = true
      if let json = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8)) {
        body = .json(json)
      } else {
        body = .bytes(Array(text.utf8))
      }
    }
  }
}

/// The differences between a request or message and a recorded one. A mask in the recording matches
/// anything.
struct TrafficComparison {
  /// More differences would not be useful.
  private static let mostDifferences = 20

  private(set) var differences: [TrafficMismatch.Difference] = []
  /// The distance between the two, to find the nearest.
  private(set) var distance = 0

  init(recorded: ComparedRequest, asked: ComparedRequest) {
    compare("method", recorded.method, asked.method, weight: 2_000)
    compare("path", recorded.path, asked.path, weight: 1_000)
    compare("query", recorded.query, asked.query, weight: 100)
    compare("body", recorded.body, asked.body)
  }

  init(recorded: ComparedMessage, sent: ComparedMessage) {
    guard recorded != sent else { return }
    if recorded.isText != sent.isText {
      note("kind", Self.kind(recorded), Self.kind(sent), distance: 2_000)
    }
    compare("message", recorded.body, sent.body)
  }

  private static func kind(_ message: ComparedMessage) -> String {
    message.isText ? "text" : "bytes"
  }

  private mutating func compare(
    _ place: String, _ recorded: ComparedRequest.Body, _ asked: ComparedRequest.Body
  ) {
    switch (recorded, asked) {
    case (.json(let one), .json(let other)): compare(place, one, other)
    case (.bytes(let one), .bytes(let other)): compare(place, one, other)
    case (let one, let other):
      if one != other { note(place, Self.shown(one), Self.shown(other), distance: 100) }
    }
  }

  private mutating func compare(
    _ place: String, _ recorded: String, _ asked: String, weight: Int = 10
  ) {
    guard !Wildcard.matches(Array(recorded.utf8), Array(asked.utf8)) else { return }
    let same = recorded.commonPrefix(with: asked).count
    note(
      place, Self.shown(recorded, from: same), Self.shown(asked, from: same),
      distance: weight + max(0, weight / 2 - same))
  }

  private mutating func note(
    _ place: String, _ recorded: String, _ asked: String, distance: Int
  ) {
    self.distance += distance
    guard differences.count < Self.mostDifferences else { return }
    differences.append(.init(place: place, recorded: recorded, asked: asked))
  }

  private mutating func compare(_ place: String, _ recorded: [UInt8], _ asked: [UInt8]) {
    guard !Wildcard.matches(recorded, asked) else { return }
    let same = zip(recorded, asked).prefix { $0 == $1 }.count
    func shown(_ bytes: [UInt8]) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return "\(bytes.count) bytes, not text"
      }
      return Self.shown(text, from: String(decoding: bytes[..<same], as: UTF8.self).count)
    }
    note("\(place) at byte \(same)", shown(recorded), shown(asked), distance: 50)
  }

  private mutating func compare(
    _ place: String, _ recorded: SendableValue, _ asked: SendableValue
  ) {
    switch (recorded, asked) {
    case (.dictionary(let one), .dictionary(let other)):
      for name in Set(one.keys).union(other.keys).sorted() {
        let inner = "\(place).\(name)"
        switch (one[name], other[name]) {
        case (let value?, let otherValue?): compare(inner, value, otherValue)
        case (let value?, nil): note(inner, Self.shown(value), "nothing", distance: 10)
        case (nil, let value?): note(inner, "nothing", Self.shown(value), distance: 10)
        case (nil, nil): break
        }
      }
    case (.array(let one), .array(let other)):
      for (index, pair) in zip(one, other).enumerated() {
        compare("\(place)[\(index)]", pair.0, pair.1)
      }
      if one.count != other.count {
        note(place, "\(one.count) elements", "\(other.count) elements", distance: 10)
      }
    case (.string(let one), .string(let other)): compare(place, one, other)
    default:
      // 1 and 1.0 are equal.
      guard recorded != asked,
        recorded.doubleValue == nil || recorded.doubleValue != asked.doubleValue
      else { return }
      note(place, Self.shown(recorded), Self.shown(asked), distance: 10)
    }
  }

  private static func shown(_ body: ComparedRequest.Body) -> String {
    switch body {
    case .none: "nothing"
    case .json(let value): shown(value)
    case .bytes(let bytes): "\(bytes.count) bytes, not JSON"
    }
  }

  private static func shown(_ value: SendableValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// The text in quotation marks, shortened to the part around a position.
  private static func shown(_ text: String, from place: Int) -> String {
    let start = text.count > 60 ? max(0, place - 20) : 0
    let part = text.dropFirst(start)
    let shown = part.prefix(60).map { $0.isNewline ? "⏎" : String($0) }.joined()
    return "“\(start > 0 ? "…" : "")\(shown)\(part.count > 60 ? "…" : "")”"
  }
}

/// Texts that contain masks.
private enum Wildcard {
  private static let mask = Array(SecureString.mask.utf8)

  /// Returns true if the text equals the pattern, in which each mask matches anything.
  static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    if pattern == text { return true }
    let parts = pattern.split(separator: mask, omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last,
      text.count >= first.count + last.count, text.starts(with: first),
      text.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = text[first.count..<text.count - last.count]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
