/// What a console bears of those who talk to it.
public struct ConsoleLimits: Sendable {
  /// The largest body of a request, in bytes.
  public var body: Int
  /// The most connections at once.
  public var connections: Int
  /// How long a request may take to come in, from its first byte or that of its connection.
  public var requestTime: Duration
  /// How long a connection may be without any progress.
  public var idleTime: Duration
  /// How much of an answer is kept for a reader who does not read, in bytes; one who is further behind gets
  /// no more.
  public var backlog: Int
  /// How often a stream is written to while nothing happens, to find out that its reader has gone.
  public var pulse: Duration

  /// Limits.
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
