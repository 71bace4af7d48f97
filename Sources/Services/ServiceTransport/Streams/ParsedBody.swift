import Foundation

/// A parser of a byte stream that arrives in pieces.
///
/// Laws: the split into pieces does not change the result; `append` is called after `next` has
/// returned `nil`; nothing more is read after an error.
package protocol StreamParser: Sendable {
  /// The type of the parsed elements.
  associatedtype Element: Sendable

  /// Adds the next bytes of the stream.
  mutating func append(_ bytes: Data)

  /// The next complete element; `nil` if more bytes are needed.
  ///
  /// - Throws: `HTTPFailure.tooLarge` if a limit is exceeded.
  mutating func next() throws(HTTPFailure) -> Element?

  /// The element that the end of the stream completes.
  mutating func finish() -> Element?
}

/// The parsed elements of a response, each as soon as it is complete.
package struct ParsedBody<Parser: StreamParser>: AsyncSequence, Sendable {
  /// The element type of the parser.
  package typealias Element = Parser.Element

  let body: HTTPBody
  let parser: Parser

  /// The iterator over the elements.
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

  /// Starts reading the elements.
  package func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator(), parser: parser)
  }
}
