import Foundation

/// Makes elements of bytes that come in pieces of any size.
///
/// Laws: where the pieces are cut changes nothing; `append` is called when `next` has given `nil`; after an
/// error nothing more is read.
package protocol StreamParser: Sendable {
  /// What the bytes mean.
  associatedtype Element: Sendable

  /// Adds the next bytes of the stream.
  mutating func append(_ bytes: Data)

  /// The next element that is complete, `nil` if more bytes are needed.
  ///
  /// - Throws: `HTTPFailure.tooLarge` for what is beyond a limit.
  mutating func next() throws(HTTPFailure) -> Element?

  /// What the end of the stream completes.
  mutating func finish() -> Element?
}

/// The elements of a response, read as they are asked for, each as soon as it is complete.
package struct ParsedBody<Parser: StreamParser>: AsyncSequence, Sendable {
  /// What the parser makes of the bytes.
  package typealias Element = Parser.Element

  let body: HTTPBody
  let parser: Parser

  /// Reads the elements.
  package struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPBody.Iterator
    var parser: Parser

    /// The next element, `nil` at the end of the stream.
    package mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    /// The next element, `nil` at the end of the stream.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      try Task.checkCancellation()
      while true {
        if let element = try parser.next() { return element }
        guard let piece = try await pieces.next(isolation: actor) else { return parser.finish() }
        parser.append(piece)
      }
    }
  }

  /// Reads the elements.
  package func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator(), parser: parser)
  }
}
