import Foundation

/// Parses lines that end with CR, LF or both, and skips empty ones.
package struct LineParser: Sendable {
  private var lines: ByteLines

  /// Creates a parser at the start of a stream.
  ///
  /// - Parameter limit: the maximum size of a line in bytes.
  package init(limit: Int = 16 << 20) {
    lines = ByteLines(limit: limit)
  }

  /// Adds the next bytes of the stream.
  package mutating func append(_ bytes: Data) { lines.append(bytes) }

  /// The next complete line, without its end.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line beyond the limit.
  package mutating func next() throws(HTTPFailure) -> Data? {
    var none: Void = ()
    while let line = try lines.next(into: &none, { Data($1) }) {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// The last line if it has no end.
  package mutating func finish() -> Data? {
    let rest = lines.takeRest()
    return rest.isEmpty ? nil : rest
  }
}
