/// The timeouts of an exchange.
public struct HTTPTimeouts: Sendable, Hashable {
  /// The time to connect, including the TLS handshake.
  public var connect: Duration
  /// The time from there to the first byte of the response.
  public var firstByte: Duration
  /// The time between two pieces of the response while it is being read.
  public var idle: Duration
  /// The time of the whole exchange; `nil` for no limit while data arrives.
  public var total: Duration?

  /// Creates timeouts with defaults for interactive use.
  public init(
    connect: Duration = .seconds(5), firstByte: Duration = .seconds(60),
    idle: Duration = .seconds(30), total: Duration? = .seconds(120)
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }
}
