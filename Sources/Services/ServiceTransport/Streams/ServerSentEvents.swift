/// The events of a response, read as they are asked for.
package typealias ServerSentEvents = ParsedBody<ServerSentEventParser>

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
  ) -> some AsyncSequence<ServerSentEvent, any Error> & Sendable {
    ServerSentEvents(
      body: self, parser: ServerSentEventParser(lineLimit: lineLimit, eventLimit: eventLimit))
  }
}
