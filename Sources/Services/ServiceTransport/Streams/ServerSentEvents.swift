import Foundation

extension HTTPBody {
  /// The body as server-sent events, each as soon as it is complete.
  ///
  /// Reading throws `HTTPFailure`; `tooLarge` for a line or an event beyond the limit.
  ///
  /// - Parameters:
  ///   - lineLimit: the maximum size of a line in bytes.
  ///   - eventLimit: the maximum size of an event's data in bytes.
  public func serverSentEvents(
    lineLimit: Int = 1 << 20, eventLimit: Int = 1 << 20
  ) -> some AsyncSequence<ServerSentEvent, any Error> & Sendable {
    ServerSentEvents(self, ServerSentEventParser(lineLimit: lineLimit, eventLimit: eventLimit))
  }
}

/// The events of a response.
package struct ServerSentEvents: AsyncSequence, Sendable {
  private let body: HTTPBody
  private let parser: ServerSentEventParser

  package init(_ body: HTTPBody, _ parser: ServerSentEventParser = ServerSentEventParser()) {
    self.body = body
    self.parser = parser
  }

  package struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPBody.Iterator
    var parser: ServerSentEventParser

    package mutating func next() async throws -> ServerSentEvent? {
      try await next(isolation: nil)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> ServerSentEvent? {
      try Task.checkCancellation()
      while true {
        if let event = try parser.next() { return event }
        guard let piece = try await pieces.next(isolation: actor) else { return nil }
        parser.append(piece)
      }
    }
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator(), parser: parser)
  }
}
