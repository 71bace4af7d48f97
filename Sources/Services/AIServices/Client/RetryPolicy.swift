/// When a request is sent again by itself, and after how long.
///
/// Sent again is what did not reach the server, what the server itself asks to repeat, and what broke
/// before a byte of the answer was there; never what has begun to answer, and never a refusal for want
/// of credit.
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again, at most.
  public var limit: Int
  /// The wait before the first repetition; it doubles each time.
  public var firstDelay: Duration
  /// The longest wait of our own choice.
  public var longestDelay: Duration
  /// The share of the wait that chance takes off, so that many clients do not come back at once.
  public var jitter: Double
  /// The longest wait that a server may ask for; beyond it the request fails at once.
  public var longestRetryAfter: Duration

  /// A policy; what is not given is what the vendors' own libraries do, but less patient with servers.
  public init(
    limit: Int = 2, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(8),
    jitter: Double = 0.25, longestRetryAfter: Duration = .seconds(20)
  ) {
    self.limit = limit
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.jitter = jitter
    self.longestRetryAfter = longestRetryAfter
  }

  /// Nothing is sent again.
  public static let never = RetryPolicy(limit: 0)

  /// How long to wait before a repetition; `nil` if there shall be none.
  ///
  /// - Parameters:
  ///   - attempt: how often the request has been sent.
  ///   - advice: what the failure says about repeating.
  ///   - chance: a number from 0 to 1.
  func delay(after attempt: Int, advice: RetryAdvice, chance: Double) -> Duration? {
    guard attempt <= limit else { return nil }
    switch advice {
    case .never: return nil
    case .after(let wished): return wished <= longestRetryAfter ? wished : nil
    case .backOff:
      let doubled = firstDelay * (1 << min(attempt - 1, 16))
      return min(doubled, longestDelay) * (1 - jitter * chance)
    }
  }
}

/// What a failure says about sending the request again.
enum RetryAdvice: Sendable, Hashable {
  case never
  case backOff
  case after(Duration)
}
