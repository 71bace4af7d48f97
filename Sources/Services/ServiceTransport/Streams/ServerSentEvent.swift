/// An event of a server-sent event stream.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event; `message` by default.
  public var event: String
  /// The data of the event.
  public var data: String
  /// The last identifier sent by the server, up to and including this event; empty if there is
  /// none.
  public var id: String

  /// Creates an event of the given type.
  public init(event: String = "message", data: String, id: String = "") {
    self.event = event
    self.data = data
    self.id = id
  }
}
