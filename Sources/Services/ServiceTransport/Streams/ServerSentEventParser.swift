import Foundation

/// Parses server-sent events as defined by the HTML standard.
///
/// The bytes may be split anywhere, even within a character or a line end; the events are the same.
/// The time is linear in the number of bytes. An incomplete event at the end is discarded.
///
/// ```swift
/// var parser = ServerSentEventParser()
/// parser.append(Data("data: hello
///
/// ".utf8))
/// while let event = try parser.next() { … }
/// ```
package struct ServerSentEventParser: Sendable {
  private var lines: ByteLines
  private var builder: ServerSentEventBuilder
  private var failure: HTTPFailure?

  /// Creates a parser at the start of a stream.
  ///
  /// - Parameters:
  ///   - lineLimit: the maximum size of a line in bytes.
  ///   - eventLimit: the maximum size of an event's data in bytes.
  package init(lineLimit: Int = 1 << 20, eventLimit: Int = 1 << 20) {
    lines = ByteLines(limit: lineLimit)
    builder = ServerSentEventBuilder(limit: eventLimit)
  }

  /// Adds the next bytes of the stream. Call `next` until it returns `nil` before adding more.
  package mutating func append(_ bytes: Data) {
    lines.append(bytes)
  }

  /// The next complete event; `nil` if more bytes are needed.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line or an event beyond the limit, and for every later
  ///   call.
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
}

/// Builds an event from its lines.
struct ServerSentEventBuilder: Sendable {
  enum Step {
    case more
    case event(ServerSentEvent)
    case tooLarge
  }

  let limit: Int
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
    // A comment, mostly a keep-alive.
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
    }
    return .more
  }

  private mutating func dispatch() -> Step {
    defer {
      data.removeAll(keepingCapacity: true)
      event = ""
    }
    // Every data line adds a line feed, so an event with empty data is not lost.
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
