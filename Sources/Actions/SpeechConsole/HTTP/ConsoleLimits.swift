/// The limits for clients of a console.
public struct ConsoleLimits: Sendable {
  /// The maximum size of a request body in bytes.
  public var body: Int
  /// The maximum number of connections. Those that have not shown the cookie may occupy half of
  /// them; when there are more, the oldest is closed.
  public var connections: Int
  /// The time limit for receiving a request, from its first byte or from the connection.
  public var requestTime: Duration
  /// The time limit for a connection without progress.
  public var idleTime: Duration
  /// The maximum size in bytes of an answer that its reader has not read. A slower reader is
  /// disconnected.
  public var backlog: Int
  /// The interval of writes to an idle stream, which detect that its reader has left.
  public var pulse: Duration

  /// Creates limits for the clients of a console.
  public init(
    body: Int = 1 << 20, connections: Int = 64, requestTime: Duration = .seconds(15),
    idleTime: Duration = .seconds(10), backlog: Int = 4 << 20, pulse: Duration = .seconds(1)
  ) {
    self.body = body
    self.connections = connections
    self.requestTime = requestTime
    self.idleTime = idleTime
    self.backlog = backlog
    self.pulse = pulse
  }
}
