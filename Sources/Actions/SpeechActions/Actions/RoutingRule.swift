/// The rule by which an action chooses connectors, with limits of time and cost.
///
/// ```swift
/// let rule = RoutingRule(
///   .hedged(after: .fixed(.milliseconds(800))), connectors: ["fast", "spare"],
///   deadline: .seconds(20), spendingCap: SpendingCap(0.50, per: .day))
/// ```
public struct RoutingRule: Sendable, Hashable {
  /// The order in which connectors are asked.
  public enum Mode: Sendable, Hashable {
    /// One after another, until one has answered.
    case sequential
    /// All at once. Every answer counts.
    case parallel
    /// All at once. The first complete answer counts, and the other connectors are cancelled.
    case firstSuccess
    /// The first connector, and the next one whenever the previous one is late with its first
    /// token. The connector that begins first is kept, and the others are cancelled. A connector
    /// that fails is followed by the next one immediately.
    case hedged(after: HedgeDelay)
  }

  /// The time after which a connector counts as late.
  public enum HedgeDelay: Sendable, Hashable {
    /// A fixed time after the request.
    case fixed(Duration)
    /// The 95th percentile of the connector's observed times to the first token; the given time
    /// while there are too few observations.
    case observed(otherwise: Duration)
  }

  /// The order in which connectors are asked.
  public var mode: Mode
  /// The ids of the connectors, in order; all active connectors if empty.
  public var connectors: [String]
  /// The maximum number of retries of a request.
  public var retries: Int
  /// The time limit for a run; only the connectors' timeouts apply if `nil`.
  public var deadline: Duration?
  /// The limit on the cost of the action; no limit if `nil`.
  public var spendingCap: SpendingCap?
  /// The time for which a cached answer is reused for the same request; no caching if `nil`.
  public var cacheLifetime: Duration?

  /// Creates a rule. Without arguments, all active connectors are asked one after another.
  public init(
    _ mode: Mode = .sequential, connectors: [String] = [], retries: Int = 2,
    deadline: Duration? = nil, spendingCap: SpendingCap? = nil, cacheLifetime: Duration? = nil
  ) {
    self.mode = mode
    self.connectors = connectors
    self.retries = retries
    self.deadline = deadline
    self.spendingCap = spendingCap
    self.cacheLifetime = cacheLifetime
  }
}

/// The maximum cost of an action.
public struct SpendingCap: Sendable, Hashable {
  /// The period over which costs are added up.
  public enum Period: String, Sendable, Hashable, CaseIterable, Codable {
    /// A single run of the action.
    case run
    /// A calendar day in UTC.
    case day
    /// A calendar month in UTC.
    case month
  }

  /// The maximum cost, in the currency of the connectors' prices.
  public var amount: Double
  /// The period over which costs are added up.
  public var period: Period

  /// Creates a cap on the cost of a period.
  public init(_ amount: Double, per period: Period = .run) {
    self.amount = amount
    self.period = period
  }
}
