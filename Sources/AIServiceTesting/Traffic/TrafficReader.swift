import Foundation
import SpeechConcurrency

/// Reads recordings.
struct TrafficReader {
  private typealias Fault = TrafficLine.Fault

  private static let kinds = ["request", "answer", "piece", "piece64", "end"]

  private var exchanges: [RecordedExchange] = []
  /// The one that has not ended, and its line.
  private var current: (exchange: RecordedExchange, line: Int)?
  private var hasHead = false

  mutating func read(_ data: Data) throws(TrafficError) -> [RecordedExchange] {
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = Array(line)
      guard !line.allSatisfy({ " \t\r".utf8.contains($0) }) else { continue }
      do throws(Fault) {
        try take(try TrafficLine.members(of: line), at: index + 1)
      } catch {
        if let number = newerFormat(line) { throw .newerFormat(number) }
        let before = String(decoding: line.prefix(error.offset), as: UTF8.self)
        throw .malformed(
          TrafficFault(
            line: index + 1, column: before.unicodeScalars.count + 1, message: error.message))
      }
    }
    guard hasHead else {
      throw .malformed(
        TrafficFault(
          line: 1, column: 1, message: "The file is empty; it has to begin with {\"traffic\":1}."))
    }
    if let current {
      throw .malformed(
        TrafficFault(
          line: lines.count, column: 1,
          message: "The exchange of line \(current.line) has no end; the file was cut off."))
    }
    return exchanges
  }

  /// The number of a later format, if that is what the first line tells.
  private func newerFormat(_ line: [UInt8]) -> Int? {
    guard !hasHead, let members = try? TrafficLine.members(of: line), let first = members.first,
      first.name == "traffic", case .number(let text) = first.value.content,
      let number = Int(text), number > TrafficRecording.format
    else { return nil }
    return number
  }

  private mutating func take(
    _ members: [TrafficLine.Member], at line: Int
  ) throws(TrafficLine.Fault) {
    guard let first = members.first else {
      throw Fault(offset: 0, message: "The object is empty.")
    }
    var fields = Fields(members)
    if !hasHead {
      guard first.name == "traffic" else {
        throw Fault(
          offset: first.offset, message: "A recording has to begin with {\"traffic\":1}.")
      }
      guard try fields.integer("traffic") == TrafficRecording.format else {
        throw Fault(offset: first.value.offset, message: "There is no such format.")
      }
      try fields.finish()
      hasHead = true
      return
    }
    switch first.name {
    case "request": try takeRequest(&fields, first, line)
    case "answer": try takeAnswer(&fields, first)
    case "piece", "piece64": try takePiece(&fields, first)
    case "end": try takeEnd(&fields, first)
    default:
      throw Fault(offset: first.offset, message: unknown(first.name, among: Self.kinds))
    }
    try fields.finish()
  }

  private mutating func takeRequest(
    _ fields: inout Fields, _ first: TrafficLine.Member, _ line: Int
  ) throws(TrafficLine.Fault) {
    if let current {
      throw Fault(
        offset: first.offset,
        message: "A request begins before the end of the one in line \(current.line).")
    }
    let request = RecordedExchange.Request(
      try fields.text("request"), try fields.text("url"), headers: try fields.headers(),
      body: try fields.bytes("body"))
    current = (RecordedExchange(request), line)
  }

  private mutating func takeAnswer(
    _ fields: inout Fields, _ first: TrafficLine.Member
  ) throws(TrafficLine.Fault) {
    guard current != nil, current?.exchange.answer == nil else {
      throw Fault(offset: first.offset, message: "An answer has to follow upon its request.")
    }
    let status = try fields.integer("answer")
    guard (100...999).contains(status) else {
      throw Fault(offset: first.value.offset, message: "A status has three digits.")
    }
    current?.exchange.answer = .init(
      status, headers: try fields.headers(), after: try fields.time("after"))
  }

  private mutating func takePiece(
    _ fields: inout Fields, _ first: TrafficLine.Member
  ) throws(TrafficLine.Fault) {
    guard current?.exchange.answer != nil else {
      throw Fault(
        offset: first.offset, message: "A piece has to follow upon the head of an answer.")
    }
    let bytes = try fields.bytes("piece") ?? Data()
    current?.exchange.pieces.append(.init(bytes, after: try fields.time("after")))
  }

  private mutating func takeEnd(
    _ fields: inout Fields, _ first: TrafficLine.Member
  ) throws(TrafficLine.Fault) {
    guard var exchange = current?.exchange else {
      throw Fault(offset: first.offset, message: "An end has to follow upon a request.")
    }
    let word = try fields.text("end")
    switch word {
    case "complete":
      guard exchange.answer != nil else {
        throw Fault(offset: first.value.offset, message: "What has no answer is not complete.")
      }
      exchange.end = .complete
    case "cancelled": exchange.end = .cancelled
    case "abandoned": exchange.end = .abandoned
    default:
      guard let kind = RecordedFailure.Kind(rawValue: word) else {
        let words =
          ["complete", "cancelled", "abandoned"] + RecordedFailure.Kind.allCases.map(\.rawValue)
        throw Fault(offset: first.value.offset, message: unknown(word, among: words))
      }
      let failure = RecordedFailure(kind, try fields.optionalText("detail") ?? "")
      guard failure.failure != nil else {
        throw Fault(offset: first.offset, message: "The detail does not fit “\(word)”.")
      }
      exchange.end = .failed(failure)
    }
    exchange.endAfter = try fields.time("after")
    exchanges.append(exchange)
    current = nil
  }
}

/// What is not known, and what was probably meant.
private func unknown(_ name: String, among names: [String]) -> String {
  let advice = NearestName.of(name, among: names).map { " Did you mean “\($0)”?" } ?? ""
  return "“\(name.prefix(40))” is not known here.\(advice)"
}

/// The members of a line, each to be taken once.
private struct Fields {
  private typealias Fault = TrafficLine.Fault

  private let members: [TrafficLine.Member]
  private var taken: [String] = []

  init(_ members: [TrafficLine.Member]) {
    self.members = members
  }

  mutating func text(_ name: String) throws(TrafficLine.Fault) -> String {
    if let text = try optionalText(name) { return text }
    throw missing(name)
  }

  mutating func optionalText(_ name: String) throws(TrafficLine.Fault) -> String? {
    guard let value = take(name) else { return nil }
    return try Self.text(value, name)
  }

  mutating func integer(_ name: String) throws(TrafficLine.Fault) -> Int {
    guard let value = take(name) else { throw missing(name) }
    guard case .number(let text) = value.content, let number = Int(text) else {
      throw wrong(value, "“\(name)” has to be a whole number")
    }
    return number
  }

  /// A time in seconds; none is no time.
  mutating func time(_ name: String) throws(TrafficLine.Fault) -> Duration {
    guard let value = take(name) else { return .zero }
    guard case .number(let text) = value.content, let seconds = Double(text),
      (0...1e9).contains(seconds)
    else {
      throw Fault(
        offset: value.offset, message: "“\(name)” has to be a time in seconds, 0 or more.")
    }
    return .microseconds(Int64((seconds * 1e6).rounded()))
  }

  mutating func headers() throws(TrafficLine.Fault) -> [RecordedExchange.Field] {
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
  mutating func bytes(_ name: String) throws(TrafficLine.Fault) -> Data? {
    if let text = try optionalText(name) { return Data(text.utf8) }
    guard let value = take(name + "64") else { return nil }
    guard let data = Data(base64Encoded: try Self.text(value, name + "64")) else {
      throw Fault(offset: value.offset, message: "This is not base 64.")
    }
    return data
  }

  /// All that is there has been taken.
  func finish() throws(TrafficLine.Fault) {
    var seen: Set<String> = []
    for member in members {
      guard taken.contains(member.name) else {
        throw Fault(offset: member.offset, message: unknown(member.name, among: asked))
      }
      guard seen.insert(member.name).inserted else {
        throw Fault(offset: member.offset, message: "“\(member.name)” is there twice.")
      }
    }
  }

  private var asked: [String] { ["url", "headers", "body", "body64", "after", "detail"] }

  private mutating func take(_ name: String) -> TrafficLine.Value? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    taken.append(name)
    return member.value
  }

  private static func text(
    _ value: TrafficLine.Value, _ name: String
  ) throws(TrafficLine.Fault) -> String {
    guard case .text(let text) = value.content else {
      throw Fault(
        offset: value.offset, message: "“\(name)” has to be a text, not \(value.content.kind).")
    }
    return text
  }

  private func missing(_ name: String) -> TrafficLine.Fault {
    Fault(offset: members[0].offset, message: "“\(name)” is missing in this line.")
  }

  private func wrong(_ value: TrafficLine.Value, _ message: String) -> TrafficLine.Fault {
    Fault(offset: value.offset, message: "\(message), not \(value.content.kind).")
  }
}
