/// What a test of a connector found out.
///
/// ```swift
/// let report = await ConnectorTest().run(connector)
/// print(report.message)   // “The host api.example.org is not known. Check the address …”
/// ```
public struct ConnectorReport: Sendable, Hashable {
  /// What is right or wrong.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// It answers.
    case works
    /// The host's name cannot be resolved.
    case unknownHost = "dns"
    /// Nobody listens at the address, or no way leads there.
    case refused
    /// The server is not who it claims to be, or speaks no TLS that we do.
    case untrusted = "tls"
    /// The key is missing, wrong, or not allowed to do this.
    case key
    /// The service does not know the model or deployment.
    case model
    /// There is no credit left, or too much was asked lately.
    case quota
    /// It took too long.
    case timedOut = "time-out"
    /// What answers there is not a service of that kind.
    case notAnAPI = "not-an-api"
    /// The network is switched off.
    case offline
    /// The service has a fault of its own.
    case serviceFailed = "service"
    /// The settings of the connector cannot be right.
    case settings
  }

  /// What is right or wrong.
  public var verdict: Verdict
  /// What happened and what to do, for a person.
  public var message: String
  /// The models that the service lists; none where it lists none.
  public var models: [String] = []
  /// How long the answer took to begin.
  public var latency: Duration?
  /// What it answered.
  public var answer: String?

  /// Whether the connector can be used.
  public var isGood: Bool { verdict == .works }
}
