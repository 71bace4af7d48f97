/// What every provider has to do, whatever its service does.
public enum ServiceLaw: String, Sendable, CaseIterable {
  /// A documented answer is understood, and its content is of the declared type.
  case understandsAnswer
  /// Without a key nothing is sent, and the error is `missingCredentials`.
  case needsKey
  /// A key with control characters is `invalidAPIKey`, and nothing is sent.
  case refusesBrokenKey
  /// An unknown parameter is `invalidRequest`, and nothing is sent.
  case refusesUnknownParameters
  /// A refused key is `authenticationFailed`, and not tried again.
  case reportsRefusedKey
  /// A forbidden request is `authenticationFailed`, and not tried again.
  case reportsForbidden
  /// An unknown model is `invalidRequest`, and not tried again.
  case reportsUnknownModel
  /// A request that is too large is `invalidRequest`, and not tried again.
  case reportsTooLarge
  /// After `Retry-After` the request is sent again, not earlier.
  case waitsAsAsked
  /// A wait that is too long is `rateLimitExceeded` at once, with the time.
  case declinesLongWaits
  /// Too many requests without a time are tried again with back-off.
  case backsOff
  /// A failing service is tried again, at most twice, and then `providerError`.
  case retriesFailures
  /// An overloaded service (529) is tried again.
  case retriesOverload
  /// A redirect is not followed, and `configurationError`.
  case followsNoRedirect
  /// A service that does not begin to answer is `timeout`.
  case noticesSilence
  /// A service that stops in mid-answer is `timeout`.
  case noticesStall
  /// An answer that breaks off is `networkError`, and not tried again.
  case noticesCut
  /// An answer that is not JSON is `unexpectedResponseFormat`.
  case noticesGarbage
  /// A web page in the place of an answer is `unexpectedResponseFormat`.
  case noticesWebPage
  /// An answer without end is `unexpectedResponseFormat`, before it fills the memory.
  case noticesGiant
  /// Nobody at the address is `connectionFailed`.
  case reportsUnreachable
  /// With the network switched off nothing is sent, and the error is `configurationError`.
  case staysOffline
  /// A cancelled request returns and closes its connection.
  case obeysCancellation
  /// Many requests at once get each its own answer.
  case keepsAnswersApart
  /// The key goes to the service and shows nowhere else.
  case keepsKeySecret
}
