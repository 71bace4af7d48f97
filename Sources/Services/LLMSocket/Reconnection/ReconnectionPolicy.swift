import AIServices

/// When a connection that was lost is opened again.
public struct ReconnectionPolicy: Sendable {
  /// How long to wait before each attempt; the last one repeats.
  public var delays: [Duration]
  /// By which share a delay may be shorter or longer, so that a thousand clients do not come back at once.
  public var jitter: Double
  /// After how many attempts in a row that came to nothing it is given up; `nil` for never.
  public var attemptLimit: Int?
  /// A server that agrees to a connection and ends it before so much time has passed, and before anything
  /// useful was said, has failed quickly.
  public var quickFailureTime: Duration
  /// After how many quick failures in a row it is given up.
  public var quickFailureLimit: Int
  /// Chance, from 0 to 1.
  public var random: @Sendable () -> Double

  /// A policy.
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

  /// As Socket.IO's own client does it: after a second, doubled up to five, give or take half.
  public static let socketIO = ReconnectionPolicy(
    delays: [.seconds(1), .seconds(2), .seconds(4), .seconds(5)], jitter: 0.5)

  /// As Phoenix's own client does it, give or take a quarter.
  public static let phoenix = ReconnectionPolicy(
    delays: [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000].map { .milliseconds($0) },
    jitter: 0.25)

  /// Never.
  public static let never = ReconnectionPolicy(delays: [.zero], attemptLimit: 0)

  /// How long to wait after that many failures in a row.
  func delay(afterFailures count: Int) -> Duration {
    let delay = delays.isEmpty ? .zero : delays[min(max(count, 1), delays.count) - 1]
    return delay * (1 + jitter * (2 * random() - 1))
  }
}

/// How a connection is doing.
public enum SocketState: Sendable, Hashable {
  /// Nobody has asked for it yet.
  case idle
  /// It is being opened; the attempts count from 1 since the last success.
  case connecting(attempt: Int)
  /// It stands.
  case connected
  /// It was lost, or did not come about, for that reason; the next attempt follows after the delay.
  case waiting(delay: Duration, reason: String)
  /// It is over: as asked if there is no reason, otherwise given up for it.
  case ended(reason: String?)
}
