/// How long the parts of an exchange may take.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Until the connection stands, TLS included.
  public var connect: Duration
  /// From then until the first byte of the response.
  public var firstByte: Duration
  /// Between two pieces of the response, while somebody reads it.
  public var idle: Duration
  /// For the whole exchange; `nil` for as long as it flows.
  public var total: Duration?

  /// Time-outs; those not given suit a conversation.
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
