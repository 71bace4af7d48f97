/// The result of testing a connector.
///
/// ```swift
/// let report = await ConnectorTest().run(connector)
/// print(report.message)   // “The host api.example.org is not known. Check the address …”
/// ```
public struct ConnectorReport: Sendable, Hashable {
  /// The result in one word.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The connector answered the request.
    case works
    /// The host name cannot be resolved.
    case unknownHost = "dns"
    /// No server listens at the address, or it cannot be reached.
    case refused
    /// The server's certificate is not trusted, or the TLS handshake failed.
    case untrusted = "tls"
    /// The key is missing, invalid, or lacks a permission.
    case key
    /// The service does not have the model or deployment.
    case model
    /// The account has no credit, or exceeded a rate limit.
    case quota
    /// The service did not answer in time.
    case timedOut = "time-out"
    /// The server at the address is not a service of that kind.
    case notAnAPI = "not-an-api"
    /// The network is switched off.
    case offline
    /// The service reported an internal error.
    case serviceFailed = "service"
    /// The settings of the connector are not valid.
    case settings
  }

  /// The result in one word.
  public var verdict: Verdict
  /// A description of the result, and of the remedy for a failure.
  public var message: String
  /// The models that the service lists; empty if it has no list.
  public var models: [String] = []
  /// The time until the answer began.
  public var latency: Duration?
  /// The text of the answer.
  public var answer: String?

  /// True if the connector works.
  public var isGood: Bool { verdict == .works }
}
