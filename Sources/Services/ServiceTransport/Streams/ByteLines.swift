import Foundation

/// Cuts bytes that come in pieces of any size into lines, each byte looked at a fixed number of times.
struct ByteLines: Sendable {
  private let limit: Int
  private let endsAtCarriageReturn: Bool

  private var piece = Data()
  private var position = 0
  /// The beginning of a line whose end has not come yet.
  private var partial: [UInt8] = []
  /// Where the next of each is in the piece; found once and kept until it is passed.
  private var lineFeed: Int?
  private var carriageReturn: Int?
  /// The last line ended with a carriage return, so a line feed that follows belongs to it.
  private var skipsLineFeed = false

  /// - Parameters:
  ///   - limit: the most bytes of a line, its end not counted.
  ///   - endsAtCarriageReturn: whether a carriage return ends a line as a line feed does.
  init(limit: Int, endsAtCarriageReturn: Bool) {
    self.limit = limit
    self.endsAtCarriageReturn = endsAtCarriageReturn
  }

  /// Adds bytes behind those that are there.
  mutating func append(_ bytes: Data) {
    (lineFeed, carriageReturn) = (nil, nil)
    if position == piece.count {
      piece = bytes
    } else {
      piece = piece.dropFirst(position) + bytes
    }
    position = 0
  }

  /// Passes the next line to the sink, without its end; `nil` if none is complete.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line beyond the limit, wherever the pieces were cut.
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

  /// What has come since the last line ended.
  mutating func takeRest() -> Data {
    defer {
      partial = []
      position = piece.count
    }
    return Data(partial) + piece.dropFirst(position)
  }

  /// From here to the next end of a line, or to the end of the piece.
  private mutating func nextRange() -> Range<Int> {
    piece.withUnsafeBytes { bytes in
      if skipsLineFeed, position < bytes.count {
        if bytes[position] == .lineFeed { position += 1 }
        skipsLineFeed = false
      }
      let feed = Self.find(.lineFeed, in: bytes, from: position, known: &lineFeed)
      guard endsAtCarriageReturn else { return position..<feed }
      return
        position..<min(
          feed, Self.find(.carriageReturn, in: bytes, from: position, known: &carriageReturn))
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
