import AIServices

/// A step of a run.
///
/// Per connector: `started`, pieces of text, then one of `finished`, `failed` and `cancelled`. `completed`
/// is the last of all and comes in every case. A connector that is asked again later begins with `started`
/// again, and its earlier text does not count any more.
public enum RunEvent: Sendable, Hashable {
  /// It is being asked.
  case started(connector: String)
  /// The next piece of its answer, as it came.
  case text(connector: String, String)
  /// Its answer is complete.
  case finished(connector: String, ConnectorAnswer)
  /// It gave no answer, or not all of it.
  case failed(connector: String, RunFailure)
  /// It was called off.
  case cancelled(connector: String, CancellationReason)
  /// The run is over.
  case completed(RunOutcome)
}

/// Why a connector was called off.
public enum CancellationReason: String, Sendable, Hashable, Codable {
  /// Another one was quicker.
  case lost
  /// The user did not want to wait.
  case user
  /// The run's deadline passed.
  case deadline
}

/// What one connector answered.
public struct ConnectorAnswer: Sendable, Hashable {
  /// The connector.
  public var connector: String
  /// The answer as it came.
  public var raw: String
  /// The answer after all post-processing.
  public var text: String
  /// What was asked for as data, if it was.
  public var structured: StructuredAnswer?
  /// From being asked to the last word.
  public var latency: Duration
  /// From being asked to the first word; `nil` for an answer without words.
  public var firstText: Duration?
  /// What it took, as far as the service told.
  public var usage: ServiceUsage
  /// What it cost, if the connector has a price: counted from the service's own counts if it told any,
  /// otherwise the most that it can have been.
  public var cost: Double?
  /// Whether it was kept from an earlier time.
  public var isCached: Bool
  /// Whether it stopped at the most tokens of an answer.
  public var isCutOff: Bool
}

/// Why a connector gave no answer.
public struct RunFailure: Error, Sendable, Hashable {
  /// What went wrong.
  public var error: ActionError
  /// How long it took to go wrong.
  public var latency: Duration
  /// What it may have cost.
  public var cost: Double?
}

/// How a run ended.
public struct RunOutcome: Sendable, Hashable {
  /// The answers that count, in the order of the rule.
  public var answers: [ConnectorAnswer]
  /// What went wrong, by connector.
  public var failures: [String: RunFailure]
  /// Why there is no answer; `nil` if there is one.
  public var error: ActionError?
  /// How long it all took.
  public var latency: Duration
  /// What it all cost, those included who failed or were called off; `nil` without prices.
  public var cost: Double?

  /// The first of the answers.
  public var answer: ConnectorAnswer? { answers.first }
}
