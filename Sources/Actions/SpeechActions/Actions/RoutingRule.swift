/// Who is asked for an answer, in which order, how long, and for how much.
///
/// ```swift
/// let rule = RoutingRule(
///   .hedged(after: .fixed(.milliseconds(800))), connectors: ["fast", "spare"],
///   deadline: .seconds(20), spendingCap: SpendingCap(0.50, per: .day))
/// ```
public struct RoutingRule: Sendable, Hashable {
  /// How several connectors are asked.
  public enum Mode: Sendable, Hashable {
    /// One after another, until one has answered.
    case sequential
    /// All at once; every answer counts.
    case parallel
    /// All at once; the first complete answer counts and the others are cancelled.
    case firstSuccess
    /// The first; the next as well when the first is late with its first word. Whose first word comes first
    /// is kept and the others are cancelled. One that fails is followed by the next at once.
    case hedged(after: HedgeDelay)
  }

  /// When a connector counts as late.
  public enum HedgeDelay: Sendable, Hashable {
    /// After that time.
    case fixed(Duration)
    /// After the time within which 95 of 100 of its answers have begun; after that time as long as there
    /// are too few answers to tell.
    case observed(otherwise: Duration)
  }

  /// How several connectors are asked.
  public var mode: Mode
  /// The ids of those who are asked, in that order; none for all active ones.
  public var connectors: [String]
  /// How often a request is sent again, at most.
  public var retries: Int
  /// How long the whole run may take; `nil` for as long as the connectors' time-outs allow.
  public var deadline: Duration?
  /// What it may cost; `nil` for any sum.
  public var spendingCap: SpendingCap?
  /// For how long an answer serves the same question again; `nil` for not at all.
  public var cacheLifetime: Duration?

  /// A rule.
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

/// The most that an action may cost.
public struct SpendingCap: Sendable, Hashable {
  /// What the sum is counted over.
  public enum Period: String, Sendable, Hashable, CaseIterable, Codable {
    /// One run.
    case run
    /// A day, by the calendar in UTC.
    case day
    /// A month, by the calendar in UTC.
    case month
  }

  /// The sum, in the currency of the connectors' prices.
  public var amount: Double
  /// What it is counted over.
  public var period: Period

  /// A cap.
  public init(_ amount: Double, per period: Period = .run) {
    self.amount = amount
    self.period = period
  }
}
