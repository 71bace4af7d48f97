import AIServices

/// The policy for reopening a lost connection.
public struct ReconnectionPolicy: Sendable {
  /// The delays before the attempts; the last one repeats.
  public var delays: [Duration]
  /// The fraction by which a delay varies at random, so that many clients do not reconnect at once.
  public var jitter: Double
  /// The number of consecutive failed attempts after which no further one is made; `nil` for no
  /// limit.
  public var attemptLimit: Int?
  /// The duration below which a connection counts as a quick failure, if the server accepted it and
  /// ended it without application data.
  public var quickFailureTime: Duration
  /// The number of consecutive quick failures after which no further attempt is made.
  public var quickFailureLimit: Int
  /// A random number from 0 to 1.
  public var random: @Sendable () -> Double

  /// Creates a policy with the given delays.
  public init(
    delays: [Duration], jitter: Double = 0, attemptLimit: Int? = nil,
    quickFailureTime: Duration = .seconds(5), quickFailureLimit: Int = 3,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.delays = delays
    self.jitter = jitter
    self.attemptLimit = attemptLimit
    self.quickFailureTime = quickFailureTime
    self.quickFailureLimit = quickFailureLimit
    self.random = random
  }

  /// The policy of Socket.IO's own client: one second, doubled up to five, varied by half.
  public static let socketIO = ReconnectionPolicy(
    delays: [.seconds(1), .seconds(2), .seconds(4), .seconds(5)], jitter: 0.5)

  /// The policy of Phoenix's own client, varied by a quarter.
  public static let phoenix = ReconnectionPolicy(
    delays: [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000].map { .milliseconds($0) },
    jitter: 0.25)

  /// A policy that never reconnects.
  public static let never = ReconnectionPolicy(delays: [.zero], attemptLimit: 0)

  /// The delay after a number of consecutive failures.
  func delay(afterFailures count: Int) -> Duration {
    let delay = delays.isEmpty ? .zero : delays[min(max(count, 1), delays.count) - 1]
    return delay * (1 + jitter * (2 * random() - 1))
  }
}

/// The state of a connection.
public enum SocketState: Sendable, Hashable {
  /// The connection has not been requested yet.
  case idle
  /// The connection is being opened; attempts count from 1 after each success.
  case connecting(attempt: Int)
  /// The connection is established.
  case connected
  /// The connection was lost or could not be opened, for the given reason; the next attempt follows
  /// after the delay.
  case waiting(delay: Duration, reason: String)
  /// The connection ended: on request if there is no reason, otherwise because of a permanent
  /// failure.
  case ended(reason: String?)
}
