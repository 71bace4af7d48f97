/// The policy for automatic retries and their delays.
///
/// A request is retried if it did not reach the server, if the server asks for it, or if the
/// connection broke before the first byte of the response; never after the response has begun, and
/// never after a refusal for lack of credit.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of retries.
  public var limit: Int
  /// The delay before the first retry; it doubles each time.
  public var firstDelay: Duration
  /// The maximum delay chosen by the client.
  public var longestDelay: Duration
  /// The fraction by which a delay is shortened at random, so that many clients do not return at
  /// once.
  public var jitter: Double
  /// The maximum delay that a server may request; a longer one fails the request at once.
  public var longestRetryAfter: Duration

  /// Creates a policy; the defaults follow the vendors' own libraries, with shorter
  /// server-requested delays.
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

  /// A policy without any retries.
  public static let never = RetryPolicy(limit: 0)

  /// The delay before a retry, after that many attempts; `nil` for no retry. The random number is
  /// from 0 to 1.
  func delay(after attempt: Int, advice: RetryAdvice, random: Double) -> Duration? {
    guard attempt <= limit else { return nil }
    switch advice {
    case .never: return nil
    case .after(let wished): return wished <= longestRetryAfter ? wished : nil
    case .backOff:
      let doubled = firstDelay * (1 << min(attempt - 1, 16))
      return min(doubled, longestDelay) * (1 - jitter * random)
    }
  }
}

/// The advice of a failure about retrying the request.
enum RetryAdvice: Sendable, Hashable {
  case never
  case backOff
  case after(Duration)
}
