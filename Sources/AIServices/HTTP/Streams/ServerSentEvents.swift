import Foundation

extension HTTPBody {
  /// The body as server-sent events, each as soon as it is complete.
  ///
  /// Reading throws `HTTPFailure`, `tooLarge` for a line or an event beyond the limit.
  ///
  /// - Parameters:
  ///   - lineLimit: the most bytes of a line.
  ///   - eventLimit: the most bytes of an event's data.
  public func serverSentEvents(
    lineLimit: Int = 1 << 20, eventLimit: Int = 1 << 20
  ) -> ServerSentEvents {
    ServerSentEvents(
      body: self, parser: ServerSentEventParser(lineLimit: lineLimit, eventLimit: eventLimit))
  }
}

/// The events of a response, read as they are asked for.
public struct ServerSentEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = ServerSentEvent

  let body: HTTPBody
  let parser: ServerSentEventParser

  /// Reads the events.
  public struct Iterator: AsyncIteratorProtocol {
    var pieces: HTTPBody.Iterator
    var parser: ServerSentEventParser

    /// The next event, `nil` at the end of the stream.
    public mutating func next() async throws -> ServerSentEvent? {
      try await next(isolation: nil)
    }

    /// The next event, `nil` at the end of the stream.
    public mutating func next(
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

  /// Reads the events.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pieces: body.makeAsyncIterator(), parser: parser)
  }
}
