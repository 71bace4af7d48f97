import Foundation

/// The lines of a response, read as they are asked for, without their ends.
package typealias NewlineDelimited = ParsedBody<LineParser>

extension HTTPBody {
  /// The body as lines, each as soon as it is complete; the last one also without its end. Empty lines
  /// are left out. For streams of JSON values, one on each line.
  ///
  /// Reading throws `HTTPFailure`, `tooLarge` for a line beyond the limit.
  ///
  /// - Parameter limit: the most bytes of a line.
  package func lines(limit: Int = 16 << 20) -> NewlineDelimited {
    NewlineDelimited(body: self, parser: LineParser(limit: limit))
  }
}

/// Reads lines that end with CR, LF or both, and leaves the empty ones out.
package struct LineParser: StreamParser {
  private var lines: ByteLines

  /// A parser at the start of a stream.
  ///
  /// - Parameter limit: the most bytes of a line.
  package init(limit: Int = 16 << 20) {
    lines = ByteLines(limit: limit, endsAtCarriageReturn: true)
  }

  /// Adds the next bytes of the stream.
  package mutating func append(_ bytes: Data) { lines.append(bytes) }

  /// The next line that is complete, without its end.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for a line beyond the limit.
  package mutating func next() throws(HTTPFailure) -> Data? {
    var none: Void = ()
    while let line = try lines.next(into: &none, { Data($1) }) {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// A last line without its end.
  package mutating func finish() -> Data? {
    let rest = lines.takeRest()
    return rest.isEmpty ? nil : rest
  }
}
