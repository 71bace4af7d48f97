import AIServices
import Foundation
import SpeechText

/// Reads recordings.
struct TrafficReader {
  private typealias Fault = JSONLine.Fault

  /// What has begun and not ended.
  private enum Open {
    case exchange(RecordedExchange)
    case socket(RecordedSocket)
  }

  private static let kinds = [
    "request", "answer", "piece", "piece64", "end", "socket", "opened", "sent", "sent64",
    "received", "received64", "closing", "closed", "refused",
  ]

  private var recording = TrafficRecording()
  /// What has not ended, and its line.
  private var current: (open: Open, line: Int)?
  private var hasHead = false

  mutating func read(_ data: Data) throws(TrafficError) -> TrafficRecording {
    for (number, line) in JSONLine.lines(in: data) {
      do throws(Fault) {
        try take(try JSONLine.members(of: line), at: number)
      } catch {
        if let number = newerFormat(line) { throw .newerFormat(number) }
        throw .malformed(
          TrafficFault(
            line: number, column: JSONLine.column(at: error.offset, in: line),
            message: error.message))
      }
    }
    guard hasHead else {
      throw .malformed(
        TrafficFault(
          line: 1, column: 1, message: "The file is empty; it has to begin with {\"traffic\":1}."))
    }
    if let current {
      let lines = data.count { $0 == UInt8(ascii: "\n") } + 1
      throw .malformed(
        TrafficFault(
          line: lines, column: 1,
          message: "The exchange of line \(current.line) has no end; the file was cut off."))
    }
    return recording
  }

  /// The number of a later format, if that is what the first line tells.
  private func newerFormat(_ line: [UInt8]) -> Int? {
    guard !hasHead, let members = try? JSONLine.members(of: line), let first = members.first,
      first.name == "traffic", case .number(let text) = first.value.content,
      let number = Int(text), number > TrafficRecording.format
    else { return nil }
    return number
  }

  private mutating func take(
    _ members: [JSONLine.Member], at line: Int
  ) throws(JSONLine.Fault) {
    guard let first = members.first else {
      throw Fault(offset: 0, message: "The object is empty.")
    }
    var fields = TrafficFields(members)
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
    case "request", "socket": try begin(&fields, first, line)
    case "answer": try takeAnswer(&fields, first)
    case "piece", "piece64": try takePiece(&fields, first)
    case "opened": try takeOpening(&fields, first)
    case "sent", "sent64", "received", "received64", "closing": try takeEvent(&fields, first)
    case "end", "closed", "refused": try takeEnd(&fields, first)
    default:
      throw Fault(
        offset: first.offset, message: TrafficFields.unknown(first.name, among: Self.kinds))
    }
    try fields.finish()
  }

  private mutating func begin(
    _ fields: inout TrafficFields, _ first: JSONLine.Member, _ line: Int
  ) throws(JSONLine.Fault) {
    let isSocket = first.name == "socket"
    if let current {
      throw Fault(
        offset: first.offset,
        message: "A \(first.name) begins before the end of the one in line \(current.line).")
    }
    let open: Open =
      if isSocket {
        .socket(
          RecordedSocket(.init("GET", try fields.text("socket"), headers: try fields.headers())))
      } else {
        .exchange(
          RecordedExchange(
            .init(
              try fields.text("request"), try fields.text("url"), headers: try fields.headers(),
              body: try fields.bytes("body"))))
      }
    current = (open, line)
  }

  // MARK: Exchanges

  private mutating func takeAnswer(
    _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) {
    guard case .exchange(var exchange)? = current?.open, exchange.answer == nil else {
      throw Fault(offset: first.offset, message: "An answer has to follow upon its request.")
    }
    exchange.answer = .init(
      try fields.status("answer"), headers: try fields.headers(), after: try fields.time("after"))
    current?.open = .exchange(exchange)
  }

  private mutating func takePiece(
    _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) {
    guard case .exchange(var exchange)? = current?.open, exchange.answer != nil else {
      throw Fault(
        offset: first.offset, message: "A piece has to follow upon the head of an answer.")
    }
    let bytes = try fields.bytes("piece") ?? Data()
    exchange.pieces.append(.init(bytes, after: try fields.time("after")))
    current?.open = .exchange(exchange)
  }

  // MARK: WebSockets

  private mutating func takeOpening(
    _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) {
    guard case .socket(var socket)? = current?.open, socket.opening == nil else {
      throw Fault(offset: first.offset, message: "“opened” has to follow upon its socket.")
    }
    let subprotocol = try fields.text("opened")
    socket.opening = .init(
      subprotocol: subprotocol.isEmpty ? nil : subprotocol, after: try fields.time("after"))
    current?.open = .socket(socket)
  }

  private mutating func takeEvent(
    _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) {
    guard case .socket(var socket)? = current?.open, socket.opening != nil else {
      throw Fault(
        offset: first.offset, message: "“\(first.name)” has to follow upon an opened socket.")
    }
    let kind: RecordedSocket.Event.Kind =
      switch first.name {
      case "closing": .closing(try fields.close("closing"))
      case "sent", "sent64": .sent(try fields.message("sent"))
      default: .received(try fields.message("received"))
      }
    socket.events.append(.init(kind, after: try fields.time("after")))
    current?.open = .socket(socket)
  }

  // MARK: Ends

  private mutating func takeEnd(
    _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) {
    switch current?.open {
    case .exchange(var exchange):
      exchange.end = try end(of: exchange, &fields, first)
      exchange.endAfter = try fields.time("after")
      recording.exchanges.append(exchange)
    case .socket(var socket):
      socket.end = try end(of: socket, &fields, first)
      socket.endAfter = try fields.time("after")
      recording.sockets.append(socket)
    case nil:
      throw Fault(offset: first.offset, message: "An end has to follow upon a request.")
    }
    current = nil
  }

  private func end(
    of exchange: RecordedExchange, _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) -> RecordedExchange.End {
    guard first.name == "end" else {
      throw Fault(offset: first.offset, message: "Only a socket ends with “\(first.name)”.")
    }
    let word = try fields.text("end")
    switch word {
    case "complete":
      guard exchange.answer != nil else {
        throw Fault(offset: first.value.offset, message: "What has no answer is not complete.")
      }
      return .complete
    case "cancelled": return .cancelled
    case "abandoned": return .abandoned
    default:
      return .failed(try failure(word, &fields, first, or: ["complete", "cancelled", "abandoned"]))
    }
  }

  private func end(
    of socket: RecordedSocket, _ fields: inout TrafficFields, _ first: JSONLine.Member
  ) throws(JSONLine.Fault) -> RecordedSocket.End {
    switch first.name {
    case "closed":
      guard socket.opening != nil else {
        throw Fault(offset: first.offset, message: "What was not opened is not closed.")
      }
      return .closed(try fields.close("closed"))
    case "refused":
      return .refused(
        WebSocketRefusal(
          status: try fields.status("refused"), body: try fields.optionalText("body") ?? ""))
    default: break
    }
    let word = try fields.text("end")
    switch word {
    case "cancelled": return .cancelled
    case "abandoned": return .abandoned
    default: return .failed(try failure(word, &fields, first, or: ["cancelled", "abandoned"]))
    }
  }

  private func failure(
    _ word: String, _ fields: inout TrafficFields, _ first: JSONLine.Member, or others: [String]
  ) throws(JSONLine.Fault) -> RecordedFailure {
    if let failure = try fields.failure(word) { return failure }
    let words = others + RecordedFailure.Kind.allCases.map(\.rawValue)
    throw Fault(offset: first.value.offset, message: TrafficFields.unknown(word, among: words))
  }
}
