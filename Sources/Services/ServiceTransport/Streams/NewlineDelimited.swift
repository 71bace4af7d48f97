import Foundation

/// The lines of a response, without their ends.
package typealias NewlineDelimited = ParsedBody<LineParser>

extension HTTPBody {
  /// The body as lines, each as soon as it is complete. The last line needs no end, and empty lines
  /// are skipped. For streams of JSON values, one per line.
  ///
  /// Reading throws `HTTPFailure`; `tooLarge` for a line beyond the limit.
  ///
  /// - Parameter limit: the maximum size of a line in bytes.
  package func lines(limit: Int = 16 << 20) -> NewlineDelimited {
    NewlineDelimited(body: self, parser: LineParser(limit: limit))
  }
}

/// Parses lines that end with CR, LF or both, and skips empty ones.
package struct LineParser: StreamParser {
  private var lines: ByteLines

  /// Creates a parser at the start of a stream.
  ///
  /// - Parameter limit: the maximum size of a line in bytes.
  package init(limit: Int = 16 << 20) {
    lines = ByteLines(limit: limit, endsAtCarriageReturn: true)
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
