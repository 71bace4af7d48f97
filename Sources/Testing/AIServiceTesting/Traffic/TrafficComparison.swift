import AIServices
import Foundation

/// The compared parts of a request or of a WebSocket message.
struct ComparedTraffic: Hashable {
  enum Content: Hashable {
    case none
    case text(String)
    case json(SendableValue)
    case bytes([UInt8])

    /// JSON if the data is JSON, else the bytes.
    init(_ data: Data) {
      let json = try? JSONDecoder().decode(SendableValue.self, from: data)
      self = json.map { .json($0) } ?? .bytes(Array(data))
    }
  }

  struct Part: Hashable {
    var place: String
    var content: Content
    /// The distance of a text that differs.
    var weight = 10
  }

  let parts: [Part]

  init(_ request: RecordedExchange.Request) {
    // The host is ignored, because the location of a service is a matter of configuration.
    let start = request.url.range(of: "://")?.upperBound ?? request.url.startIndex
    let target = request.url[start...].drop { $0 != "/" && $0 != "?" }
    let path = target.prefix { $0 != "?" }
    let query = String(target.dropFirst(path.count + 1))
    parts = [
      Part(place: "method", content: .text(request.method), weight: 2_000),
      Part(place: "path", content: .text(path.isEmpty ? "/" : String(path)), weight: 1_000),
      Part(place: "query", content: .text(query), weight: 100),
      Part(place: "body", content: Self.body(of: request)),
    ]
  }

  init(_ message: WebSocketMessage) {
    let (kind, content): (String, Content) =
      switch message {
      case .text(let text): ("text", Content(Data(text.utf8)))
      case .binary(let data): ("bytes", .bytes(Array(data)))
      }
    parts = [
      Part(place: "kind", content: .text(kind), weight: 2_000),
      Part(place: "message", content: content),
    ]
  }

  private static func body(of request: RecordedExchange.Request) -> Content {
    guard let data = request.body else { return .none }
    let content = Content(data)
    // The boundary of a form is random.
    guard case .bytes(let bytes) = content, let type = request.header("Content-Type"),
      type.lowercased().hasPrefix("multipart/"),
      let start = type.range(of: "boundary=")?.upperBound
    else { return content }
    let boundary = type[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
    return .bytes(bytes.replacing(Array("--\(boundary)".utf8), with: Array("--boundary".utf8)))
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

  init(recorded: ComparedTraffic, asked: ComparedTraffic) {
    guard recorded != asked else { return }
    for (one, other) in zip(recorded.parts, asked.parts) {
      compare(one.place, one.content, other.content, weight: one.weight)
    }
  }

  private mutating func compare(
    _ place: String, _ recorded: ComparedTraffic.Content, _ asked: ComparedTraffic.Content,
    weight: Int
  ) {
    switch (recorded, asked) {
    case (.text(let one), .text(let other)): compare(place, one, other, weight: weight)
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

  private static func shown(_ content: ComparedTraffic.Content) -> String {
    switch content {
    case .none: "nothing"
    case .text(let text): shown(text, from: 0)
    case .json(let value): shown(value)
    case .bytes(let bytes): "\(bytes.count) bytes, not JSON"
    }
  }

  private static func shown(_ value: SendableValue) -> String {
    let text = value.json
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
