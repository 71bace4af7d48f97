import Foundation

/// Reads Wyoming events from bytes that arrive in pieces of any size, in linear time.
///
/// ```swift
/// var reader = WyomingReader()
/// reader.append(bytes)
/// while let event = try reader.next() { handle(event) }
/// ```
/// After an error the stream has no further events, because their beginnings are unknown.
package struct WyomingReader: Sendable {
  /// The limits of an event in bytes. What exceeds them is refused before it is collected.
  private static let mostHeader = 64 << 10
  private static let mostData = 1 << 20
  private static let mostPayload = 16 << 20

  /// The reason why bytes are not an event.
  package struct FormatError: Error, Equatable {
    package var reason: String
  }

  /// The event whose data and payload are awaited.
  private struct Head {
    var type: String
    /// The data in the header, as an object in JSON.
    var inline: Data
    var dataLength: Int
    var payloadLength: Int
  }

  private var bytes: [UInt8] = []
  /// The first byte that has not been read.
  private var position = 0
  /// The first byte after `position` that has not been searched for a line end.
  private var searched = 0
  private var head: Head?
  private var failure: FormatError?

  package init() {}

  /// Adds the next bytes of the stream.
  package mutating func append(_ more: some Collection<UInt8>) {
    // Seldom, so that each byte is moved once on average.
    if position > bytes.count / 2 {
      bytes.removeFirst(position)
      searched -= position
      position = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next complete event.
  ///
  /// - Throws: `FormatError` for bytes that are not an event, or for one beyond the limits.
  package mutating func next() throws(FormatError) -> WyomingEvent? {
    if let failure { throw failure }
    do throws(FormatError) {
      return try read()
    } catch {
      failure = error
      (bytes, position, searched) = ([], 0, 0)
      throw error
    }
  }

  private mutating func read() throws(FormatError) -> WyomingEvent? {
    if head == nil {
      guard let line = try nextLine() else { return nil }
      head = try parse(line)
    }
    guard let head, bytes.count - position >= head.dataLength + head.payloadLength else {
      return nil
    }
    let block = take(head.dataLength)
    let payload = take(head.payloadLength)
    self.head = nil
    return WyomingEvent(type: head.type, data: try merge(head.inline, block), payload: payload)
  }

  private mutating func nextLine() throws(FormatError) -> Data? {
    searched = max(searched, position)
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    guard (end ?? bytes.count) - position <= Self.mostHeader else {
      throw tooLong("line", Self.mostHeader)
    }
    guard let end else {
      searched = bytes.count
      return nil
    }
    let line = take(end - position)
    _ = take(1)
    return line
  }

  private func parse(_ line: Data) throws(FormatError) -> Head {
    guard let header = Self.object(line), let type = header["type"] as? String else {
      let start = String(decoding: line.prefix(60), as: UTF8.self)
      throw FormatError(reason: "it sent “\(start)” instead of an event")
    }
    let inline = header["data"] as? [String: Any] ?? [:]
    return Head(
      type: type, inline: inline.isEmpty ? Data() : try Self.encode(inline),
      dataLength: try length(header["data_length"], of: "data", atMost: Self.mostData),
      payloadLength: try length(header["payload_length"], of: "payload", atMost: Self.mostPayload))
  }

  private func length(
    _ value: Any?, of part: String, atMost limit: Int
  ) throws(FormatError) -> Int {
    guard let value, !(value is NSNull) else { return 0 }
    guard let number = value as? NSNumber, let length = Int(exactly: number.doubleValue),
      length >= 0
    else { throw FormatError(reason: "the length of its \(part) is “\(value)”") }
    guard length <= limit else { throw tooLong(part, limit) }
    return length
  }

  /// Merges the data of the header with that of the block, which has precedence.
  private func merge(_ inline: Data, _ block: Data) throws(FormatError) -> Data {
    guard !block.isEmpty else { return inline }
    guard let object = Self.object(block) else {
      throw FormatError(reason: "the data of an event is not an object in JSON")
    }
    guard let others = Self.object(inline) else { return block }
    return try Self.encode(others.merging(object) { $1 })
  }

  private func tooLong(_ part: String, _ limit: Int) -> FormatError {
    FormatError(reason: "the \(part) of an event is longer than \(limit >> 10) KiB")
  }

  private mutating func take(_ count: Int) -> Data {
    defer { position += count }
    return Data(bytes[position..<position + count])
  }

  private static func object(_ data: Data) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
  }

  private static func encode(_ object: [String: Any]) throws(FormatError) -> Data {
    do {
      return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    } catch {
      throw FormatError(reason: "the data of an event is not an object in JSON")
    }
  }
}
