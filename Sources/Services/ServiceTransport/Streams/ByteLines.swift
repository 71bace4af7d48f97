import Foundation

/// Splits bytes that arrive in pieces into lines, in linear time. A line ends with CR, LF or both.
struct ByteLines: Sendable {
  private let limit: Int

  private var piece = Data()
  private var position = 0
  /// The start of a line whose end has not arrived.
  private var partial: [UInt8] = []
  /// The next position of each in the piece, found once and kept until it is passed.
  private var lineFeed: Int?
  private var carriageReturn: Int?
  /// True if the last line ended with a carriage return, so that a following line feed belongs to
  /// it.
  private var skipsLineFeed = false

  /// Creates a splitter.
  ///
  /// - Parameter limit: the maximum size of a line in bytes, without its end.
  init(limit: Int) {
    self.limit = limit
  }

  /// Appends bytes to the unread ones.
  mutating func append(_ bytes: Data) {
    (lineFeed, carriageReturn) = (nil, nil)
    if position == piece.count {
      piece = bytes
    } else {
      piece = piece.dropFirst(position) + bytes
    }
    position = 0
  }

  /// Passes the next line to the sink, without its end; returns `nil` if none is complete.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line beyond the limit, wherever the pieces were split.
  mutating func next<Sink, Outcome>(
    into sink: inout Sink, _ take: (inout Sink, UnsafeRawBufferPointer) -> Outcome
  ) throws(HTTPFailure) -> Outcome? {
    let line = nextRange()
    guard partial.count + line.count <= limit else { throw .tooLarge(limit: limit) }
    guard line.upperBound < piece.count else {
      piece.withUnsafeBytes { partial.append(contentsOf: $0[line]) }
      position = piece.count
      return nil
    }
    position = line.upperBound + 1
    return piece.withUnsafeBytes { bytes in
      skipsLineFeed = bytes[line.upperBound] == .carriageReturn
      if partial.isEmpty { return take(&sink, UnsafeRawBufferPointer(rebasing: bytes[line])) }
      partial.append(contentsOf: bytes[line])
      defer { partial.removeAll(keepingCapacity: true) }
      return partial.withUnsafeBytes { take(&sink, $0) }
    }
  }

  /// Removes and returns the bytes since the last line end.
  mutating func takeRest() -> Data {
    defer {
      partial = []
      position = piece.count
    }
    return Data(partial) + piece.dropFirst(position)
  }

  /// The range up to the next line end, or to the end of the piece.
  private mutating func nextRange() -> Range<Int> {
    piece.withUnsafeBytes { bytes in
      if skipsLineFeed, position < bytes.count {
        if bytes[position] == .lineFeed { position += 1 }
        skipsLineFeed = false
      }
      let feed = Self.find(.lineFeed, in: bytes, from: position, known: &lineFeed)
      let carriage = Self.find(.carriageReturn, in: bytes, from: position, known: &carriageReturn)
      return position..<min(feed, carriage)
    }
  }

  private static func find(
    _ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int, known: inout Int?
  ) -> Int {
    if let known, known >= start { return known }
    var found = bytes.count
    if start < bytes.count, let base = bytes.baseAddress,
      let match = memchr(base + start, Int32(byte), bytes.count - start)
    {
      found = base.distance(to: UnsafeRawPointer(match))
    }
    known = found
    return found
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}
