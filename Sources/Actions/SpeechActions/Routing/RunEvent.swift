import AIServices

/// An event of a run.
///
/// For each connector: `started`, pieces of text, then one of `finished`, `failed` and `cancelled`.
/// `completed` is always the last event. A connector that is asked again begins with `started`
/// again, and its earlier text does not count.
public enum RunEvent: Sendable, Hashable {
  /// The request to the connector starts.
  case started(connector: String)
  /// The next piece of the connector's answer, without post-processing.
  case text(connector: String, String)
  /// The connector's answer is complete.
  case finished(connector: String, ConnectorAnswer)
  /// The connector failed, possibly after part of an answer.
  case failed(connector: String, RunFailure)
  /// The request to the connector was cancelled.
  case cancelled(connector: String, CancellationReason)
  /// The run has ended, with or without an answer.
  case completed(RunOutcome)
}

/// The reason for cancelling a request.
public enum CancellationReason: String, Sendable, Hashable, Codable {
  /// Another connector was faster.
  case lost
  /// The user cancelled the run.
  case user
  /// The run's deadline passed.
  case deadline
}

/// The complete answer of a connector.
public struct ConnectorAnswer: Sendable, Hashable {
  /// The id of the connector.
  public var connector: String
  /// The answer without post-processing.
  public var raw: String
  /// The answer after all post-processing.
  public var text: String
  /// The answer as data, if the action expects data.
  public var structured: StructuredAnswer?
  /// The time from the request to the last token.
  public var latency: Duration
  /// The time from the request to the first token; `nil` for an empty answer.
  public var firstText: Duration?
  /// The token counts, as far as the service reports them.
  public var usage: ServiceUsage
  /// The cost, if the connector has a price: computed from the service's token counts, or else
  /// estimated from the lengths of the texts.
  public var cost: Double?
  /// True if the service reported no token counts, so that the cost is an estimate.
  public var isCostEstimated = false
  /// True for an answer from the cache.
  public var isCached: Bool
  /// True if the answer reached the maximum number of output tokens.
  public var isCutOff: Bool
}

/// The failure of a connector.
public struct RunFailure: Error, Sendable, Hashable {
  /// The reason for the failure.
  public var error: ActionError
  /// The time from the request to the failure.
  public var latency: Duration
  /// The cost that may have been incurred.
  public var cost: Double?
  /// True if that cost is an estimate.
  public var isCostEstimated = false
}

/// The outcome of a run.
public struct RunOutcome: Sendable, Hashable {
  /// The answers that count, in the order of the rule.
  public var answers: [ConnectorAnswer]
  /// The failures by connector.
  public var failures: [String: RunFailure]
  /// The reason for having no answer; `nil` if there is one.
  public var error: ActionError?
  /// The duration of the run.
  public var latency: Duration
  /// The total cost, including failed and cancelled requests; `nil` without prices.
  public var cost: Double?
  /// True if a part of the cost is an estimate.
  public var isCostEstimated = false

  /// The first answer that counts.
  public var answer: ConnectorAnswer? { answers.first }
}
