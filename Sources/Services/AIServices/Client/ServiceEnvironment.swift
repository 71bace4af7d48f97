import Foundation

/// What a service needs of the world, so that all of it can be replaced.
public struct ServiceEnvironment: Sendable {
  /// The way to servers.
  public var transport: any HTTPTransport
  /// The way to servers that are reached over a WebSocket.
  public var sockets: any WebSocketTransport
  /// The time.
  public var clock: ServiceClock
  /// When requests are sent again.
  public var retry: RetryPolicy
  /// Chance: a number from 0 up to 1.
  public var chance: @Sendable () -> Double

  /// An environment.
  ///
  /// - Parameter sockets: `nil` for the transport's own way, where it has one.
  public init(
    transport: any HTTPTransport, sockets: (any WebSocketTransport)? = nil,
    clock: ServiceClock = .real, retry: RetryPolicy = RetryPolicy(),
    chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.transport = transport
    self.sockets = sockets ?? transport.sockets
    self.clock = clock
    self.retry = retry
    self.chance = chance
  }
}
