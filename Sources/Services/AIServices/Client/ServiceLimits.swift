/// How much a program asks of a service, at most.
public struct ServiceLimits: Sendable, Hashable {
  /// Requests that are under way at once; further ones wait.
  public var concurrentRequests: Int
  /// Requests in any minute; further ones wait.
  public var requestsPerMinute: Int?
  /// Failures in a row after which the service is left alone for a while.
  public var failuresBeforeSuspension: Int
  /// How long it is left alone.
  public var suspension: Duration

  /// Limits.
  public init(
    concurrentRequests: Int = 64, requestsPerMinute: Int? = nil, failuresBeforeSuspension: Int = 5,
    suspension: Duration = .seconds(30)
  ) {
    self.concurrentRequests = max(1, concurrentRequests)
    self.requestsPerMinute = requestsPerMinute.map { max(1, $0) }
    self.failuresBeforeSuspension = max(1, failuresBeforeSuspension)
    self.suspension = suspension
  }
}
