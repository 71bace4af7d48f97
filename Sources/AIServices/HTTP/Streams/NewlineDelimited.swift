import Foundation

extension HTTPBody {
  /// The body as lines, each as soon as it is complete; the last one also without its end. Empty lines
  /// are left out. For streams of JSON values, one on each line.
  ///
  /// Reading throws `HTTPFailure`, `tooLarge` for a line beyond the limit.
  ///
  /// - Parameter limit: the most bytes of a line.
  public func lines(limit: Int = 16 << 20) -> NewlineDelimited {
    NewlineDelimited(body: self, limit: limit)
  }
}

/// The lines of a response, read as they are asked for, without their ends.
public struct NewlineDelimited: AsyncSequence, Sendable {
  /// The bytes of a line.
  public typealias Element = Data

  let body: HTTPBody
  let limit: Int

  /// Reads the lines.
  public struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPBody.Iterator
    var lines: ByteLines

    /// The next line, `nil` at the end.
    public mutating func next() async throws -> Data? {
      try await next(isolation: nil)
    }

    /// The next line, `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Data? {
      try Task.checkCancellation()
      while true {
        if let line = try nextLine() { return line }
        guard let piece = try await pieces.next(isolation: actor) else {
          let rest = lines.takeRest()
          return rest.isEmpty ? nil : rest
        }
        lines.append(piece)
      }
    }

    private mutating func nextLine() throws(HTTPFailure) -> Data? {
      var none: Void = ()
      while let line = try lines.next(into: &none, { Data($1) }) {
        if !line.isEmpty { return line }
      }
      return nil
    }
  }

  /// Reads the lines.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      pieces: body.makeAsyncIterator(), lines: ByteLines(limit: limit, endsAtCarriageReturn: true))
  }
}
