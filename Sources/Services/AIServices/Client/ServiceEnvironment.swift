import Foundation

/// The external dependencies of a service, for injection.
public struct ServiceEnvironment: Sendable {
  /// The transport for HTTP requests.
  public var transport: any HTTPTransport
  /// The transport for WebSockets.
  public var sockets: any WebSocketTransport
  /// The clock for delays, timeouts and dates.
  public var clock: ServiceClock
  /// The policy for automatic retries.
  public var retry: RetryPolicy
  /// A random number from 0 up to 1.
  public var random: @Sendable () -> Double

  /// Creates an environment.
  ///
  /// - Parameter sockets: the transport for WebSockets; `nil` to use `transport` if it supports
  ///   them.
  public init(
    transport: any HTTPTransport, sockets: (any WebSocketTransport)? = nil,
    clock: ServiceClock = .real, retry: RetryPolicy = RetryPolicy(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.transport = transport
    self.sockets = sockets ?? transport.sockets
    self.clock = clock
    self.retry = retry
    self.random = random
  }
}
