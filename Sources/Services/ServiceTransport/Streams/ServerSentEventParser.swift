import Foundation

/// Reads server-sent events, as the HTML standard defines them: bytes in, events out.
///
/// The bytes may be cut anywhere, also in the middle of a character or of a line's end; the events are the
/// same. The time that it takes grows with the bytes and not faster.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// parser.append(Data("data: hello\n\n".utf8))
/// while let event = try parser.next() { … }
/// ```
package struct ServerSentEventParser: StreamParser {
  private var lines: ByteLines
  private var builder: ServerSentEventBuilder
  private var failure: HTTPFailure?

  /// A parser at the start of a stream.
  ///
  /// - Parameters:
  ///   - lineLimit: the most bytes of a line.
  ///   - eventLimit: the most bytes of an event's data.
  package init(lineLimit: Int = 1 << 20, eventLimit: Int = 1 << 20) {
    lines = ByteLines(limit: lineLimit, endsAtCarriageReturn: true)
    builder = ServerSentEventBuilder(limit: eventLimit)
  }

  /// How long the server wants a client to wait before it connects anew, if it said so.
  package var reconnectionDelay: Duration? { builder.reconnectionDelay }

  /// Adds the next bytes of the stream. Take the events before adding more.
  package mutating func append(_ bytes: Data) {
    lines.append(bytes)
  }

  /// The next event that is complete, `nil` if more bytes are needed.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line or an event beyond the limit, from then on always.
  package mutating func next() throws(HTTPFailure) -> ServerSentEvent? {
    if let failure { throw failure }
    do throws(HTTPFailure) {
      while let step = try lines.next(into: &builder, { $0.take($1) }) {
        switch step {
        case .more: continue
        case .event(let event): return event
        case .tooLarge: throw .tooLarge(limit: builder.limit)
        }
      }
    } catch {
      failure = error
      throw error
    }
    return nil
  }

  /// Nothing: what is incomplete when the stream ends is to be dropped, says the standard.
  package mutating func finish() -> ServerSentEvent? { nil }
}

/// Makes an event of its lines.
struct ServerSentEventBuilder: Sendable {
  enum Step {
    case more
    case event(ServerSentEvent)
    case tooLarge
  }

  let limit: Int
  private(set) var reconnectionDelay: Duration?
  private var isFirstLine = true
  private var data: [UInt8] = []
  private var event = ""
  private var id = ""

  init(limit: Int) {
    self.limit = limit
  }

  mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = .init(rebasing: line[3...]) }
    }
    guard let first = line.first else { return dispatch() }
    let colon = UInt8(ascii: ":")
    // A comment, most often one to keep the connection alive.
    guard first != colon else { return .more }
    let end = line.firstIndex(of: colon) ?? line.count
    let name = UnsafeRawBufferPointer(rebasing: line[..<end])
    var value = UnsafeRawBufferPointer(rebasing: line[min(end + 1, line.count)...])
    if value.first == UInt8(ascii: " ") { value = .init(rebasing: value[1...]) }
    return take(name, value)
  }

  private mutating func take(
    _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Step {
    if name.spells("data") {
      guard data.count + value.count <= limit else { return .tooLarge }
      data.append(contentsOf: value)
      data.append(.lineFeed)
    } else if name.spells("event") {
      event = String(decoding: value, as: UTF8.self)
    } else if name.spells("id") {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if name.spells("retry") {
      setDelay(value)
    }
    return .more
  }

  private mutating func setDelay(_ value: UnsafeRawBufferPointer) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard !value.isEmpty, value.allSatisfy(digits.contains),
      let milliseconds = Int(String(decoding: value, as: UTF8.self))
    else { return }
    reconnectionDelay = .milliseconds(milliseconds)
  }

  private mutating func dispatch() -> Step {
    defer {
      data.removeAll(keepingCapacity: true)
      event = ""
    }
    // Every line of data has left a line feed, so an event whose data is empty is not lost.
    guard !data.isEmpty else { return .more }
    return .event(
      ServerSentEvent(
        event: event.isEmpty ? "message" : event,
        data: String(decoding: data.dropLast(), as: UTF8.self), id: id))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func spells(_ text: StaticString) -> Bool {
    guard let baseAddress, count == text.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress, text.utf8Start, count) == 0
  }
}
