/// The limits on requests to a service.
public struct ServiceLimits: Sendable, Hashable {
  /// The maximum number of simultaneous requests; further ones wait.
  public var concurrentRequests: Int
  /// The maximum number of requests in any minute; further ones wait.
  public var requestsPerMinute: Int?
  /// The number of consecutive failures that suspends the service.
  public var failuresBeforeSuspension: Int
  /// The duration of a suspension.
  public var suspension: Duration

  /// Creates limits; the defaults suit one user.
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
