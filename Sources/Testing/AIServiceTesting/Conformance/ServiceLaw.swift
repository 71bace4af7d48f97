/// A requirement for every provider, whatever its service does.
public enum ServiceLaw: String, Sendable, CaseIterable {
  /// A documented answer is parsed, and its content has the declared type.
  case understandsAnswer
  /// Every claimed capability is delivered by `generate`.
  case deliversCapabilities
  /// Without a key nothing is sent, and the error is `missingCredentials`.
  case needsKey
  /// A key with control characters is `invalidAPIKey`, and nothing is sent.
  case refusesBrokenKey
  /// An unknown parameter is `invalidRequest`, and nothing is sent.
  case refusesUnknownParameters
  /// A rejected key is `authenticationFailed`, without a retry.
  case reportsRefusedKey
  /// A forbidden request is `authenticationFailed`, without a retry.
  case reportsForbidden
  /// An unknown model is `invalidRequest`, without a retry.
  case reportsUnknownModel
  /// A request that is too large is `invalidRequest`, without a retry.
  case reportsTooLarge
  /// After `Retry-After` the request is sent again, and not earlier.
  case waitsAsAsked
  /// A wait that is too long is `rateLimitExceeded` at once, with the time.
  case declinesLongWaits
  /// Too many requests without a stated time are retried with back-off.
  case backsOff
  /// A failing service is retried at most twice, and then `providerError`.
  case retriesFailures
  /// An overloaded service (529) is retried.
  case retriesOverload
  /// A redirect is not followed, and is `configurationError`.
  case followsNoRedirect
  /// A service that does not begin to answer is `timeout`.
  case noticesSilence
  /// A service that stops within an answer is `timeout`.
  case noticesStall
  /// An interrupted answer is `networkError`, without a retry.
  case noticesCut
  /// An answer that is not JSON is `unexpectedResponseFormat`.
  case noticesGarbage
  /// A web page instead of an answer is `unexpectedResponseFormat`.
  case noticesWebPage
  /// An endless answer is `unexpectedResponseFormat`, before it fills the memory.
  case noticesGiant
  /// An address without a server is `connectionFailed`.
  case reportsUnreachable
  /// With the network switched off nothing is sent, and the error is `configurationError`.
  case staysOffline
  /// A cancelled request returns and closes its connection.
  case obeysCancellation
  /// Each of many concurrent requests gets its own answer.
  case keepsAnswersApart
  /// The key is sent to the service and appears nowhere else.
  case keepsKeySecret
}
