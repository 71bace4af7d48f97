/// The events of a response.
package typealias ServerSentEvents = ParsedBody<ServerSentEventParser>

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
    ServerSentEvents(
      body: self, parser: ServerSentEventParser(lineLimit: lineLimit, eventLimit: eventLimit))
  }
}
