import AIServices

/// The health of a connector. All programs of the user share it, except where noted.
public struct ConnectorHealth: Sendable, Hashable {
  /// The state of the connector's client in this program.
  public var state: ServiceHealth.State = .working
  /// The time that the last complete answer took.
  public var lastLatency: Duration?
  /// The time to the first token of the last answer.
  public var lastFirstText: Duration?
  /// The 95th percentile of the times to the first token; `nil` while there are too few
  /// observations.
  public var slowFirstText: Duration?
  /// The number of complete answers.
  public var successes = 0
  /// The number of failed requests.
  public var failures = 0
  /// The last error in this program; `nil` after a successful answer.
  public var lastError: ActionError?
  /// The total cost of the connector in this program.
  public var cost = 0.0

  /// Creates the health of a connector that has not been used.
  public init() {}
}
