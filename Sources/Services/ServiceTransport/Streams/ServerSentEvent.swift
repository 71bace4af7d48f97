/// One event of a stream that a server sends.
public struct ServerSentEvent: Sendable, Hashable {
  /// What kind of event it is; `message` where the server does not say.
  public var event: String
  /// What it says.
  public var data: String
  /// The last name that the server gave to an event, this one included; empty without one.
  public var id: String

  /// An event.
  public init(event: String = "message", data: String, id: String = "") {
    self.event = event
    self.data = data
    self.id = id
  }
}
