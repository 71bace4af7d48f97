import AIServices

/// How a connector has been doing: for all programs that share records, except for what says otherwise.
public struct ConnectorHealth: Sendable, Hashable {
  /// Whether requests are sent to it, in this program.
  public var state: ServiceHealth.State = .working
  /// How long the last answer took altogether.
  public var lastLatency: Duration?
  /// How long the last answer took to begin.
  public var lastFirstText: Duration?
  /// The time within which 95 of 100 answers began; `nil` while there are too few to tell.
  public var slowFirstText: Duration?
  /// Its complete answers.
  public var successes = 0
  /// The times it failed.
  public var failures = 0
  /// Why it last failed in this program; `nil` if the last answer was good.
  public var lastError: ActionError?
  /// What it cost in this program altogether.
  public var cost = 0.0

  /// Health.
  public init() {}
}
