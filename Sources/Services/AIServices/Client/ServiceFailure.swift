import Foundation

/// A failed request: the error for the caller, and the advice about retries.
struct ServiceFailure: Error {
  var error: AIServiceError
  var advice: RetryAdvice
  /// True if the failure indicates trouble of the service rather than of this request.
  var countsAgainstService: Bool

  init(_ error: AIServiceError, advice: RetryAdvice = .never, countsAgainstService: Bool = false) {
    self.error = error
    self.advice = advice
    self.countsAgainstService = countsAgainstService
  }

  /// Interprets a response that reports a failure. The permanent codes are those for a lack of
  /// credit.
  init(
    service: String, status: Int, headers: HTTPHeaders, body: Data,
    hiding secrets: [SecureString], permanentCodes: Set<String>, date: Date
  ) {
    let told = ServiceErrorBody(body)
    let wish = RetryAfter.wish(in: headers, at: date)
    let retry = wish.map { RetryAdvice.after($0) } ?? .backOff
    let isOutOfCredit =
      [told?.code, told?.type].contains { $0.map(permanentCodes.contains) ?? false }
    let (kind, happened, remedy): ((String) -> AIServiceError, String, String) =
      switch status {
      case _ where isOutOfCredit, 402:
        (AIServiceError.configurationError, "has no credit left for this account", "Add credit.")
      case 200..<300: (AIServiceError.providerError, "reported an error", "")
      case 300..<400:
        (AIServiceError.configurationError, "redirected to another address", "Set the new address.")
      case 401: (AIServiceError.authenticationFailed, "refused the key", "Store a valid one.")
      case 403:
        (AIServiceError.authenticationFailed, "denies this to the key", "Check its permissions.")
      case 408: (AIServiceError.timeout, "timed out", "Try again.")
      case 409: (AIServiceError.providerError, "reported a conflict", "Try again.")
      case 413: (AIServiceError.invalidRequest, "refused the request as too large", "Send less.")
      case 429:
        (
          { .rateLimitExceeded($0, retryAfter: wish.map(\.wholeSeconds)) },
          "limits the rate of requests", "Wait a little."
        )
      case 500...: (AIServiceError.providerError, "failed", "Try again later.")
      default: (AIServiceError.invalidRequest, "refused the request", "Correct it.")
      }
    let id = told?.requestID ?? headers["x-request-id"] ?? headers["request-id"]
    let facts = ["HTTP \(status)", told?.code ?? told?.type, id.map { "request \($0)" }]
      .compactMap { $0 }.joined(separator: ", ")
    // Services quote a refused key in their messages.
    let words = status == 401 && !isOutOfCredit ? nil : told?.message
    let sentence = "\(service) \(happened) (\(facts))" + (words.map { ": \($0)" } ?? "")
    let shown = Redaction.shown(sentence, hiding: secrets)
    let end = remedy.isEmpty ? "" : ".!?…".contains(shown.last ?? " ") ? " " : ". "
    error = kind(shown + end + remedy)
    // Waiting does not restore credit, even if a gateway suggests a retry.
    advice =
      switch (status, headers["x-should-retry"]) {
      case _ where isOutOfCredit: .never
      case (_, "false"): .never
      case (408...409, _): .backOff
      case (429, _), (500..., _), (_, "true"): retry
      default: .never
      }
    countsAgainstService = status >= 500 && !isOutOfCredit
  }

  /// Interprets an exchange that failed before its response.
  init(_ failure: HTTPFailure, service: String) {
    let text = "\(service): \(failure.localizedDescription)"
    switch failure {
    case .invalidRequest: self.init(.invalidRequest(text))
    case .offline, .untrusted: self.init(.configurationError(text))
    case .unknownHost, .unreachable, .timedOut(.connect):
      self.init(.connectionFailed(text), advice: .backOff, countsAgainstService: true)
      if failure == .timedOut(.connect) { error = .timeout(text) }
    case .timedOut: self.init(.timeout(text), countsAgainstService: true)
    case .interrupted(_, let beforeResponse):
      self.init(
        .networkError(text), advice: beforeResponse ? .backOff : .never, countsAgainstService: true)
    case .truncated: self.init(.networkError(text), countsAgainstService: true)
    case .tooLarge, .malformed: self.init(.unexpectedResponseFormat(text))
    }
  }
}

extension Duration {
  /// The number of seconds, rounded up.
  fileprivate var wholeSeconds: Int {
    Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
