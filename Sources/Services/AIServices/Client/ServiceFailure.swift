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
    let isOutOfCredit =
      [told?.code, told?.type].contains { $0.map(permanentCodes.contains) ?? false }
    let source = Source(
      service: service, status: status, headers: headers, told: told, secrets: secrets)
    switch status {
    case _ where isOutOfCredit, 402:
      self.init(
        .configurationError(source.text("has no credit left for this account", "Add credit.")))
    case 300..<400:
      self.init(
        .configurationError(
          source.text("redirected to another address", "Set the new address.")))
    case 401:
      self.init(
        .authenticationFailed(source.text("refused the key", "Store a valid one.", quotes: false)))
    case 403:
      self.init(
        .authenticationFailed(source.text("denies this to the key", "Check its permissions.")))
    case 408:
      self.init(.timeout(source.text("timed out", "Try again.")), advice: .backOff)
    case 409:
      self.init(.providerError(source.text("reported a conflict", "Try again.")), advice: .backOff)
    case 413:
      self.init(.invalidRequest(source.text("refused the request as too large", "Send less.")))
    case 429:
      self.init(
        .rateLimitExceeded(
          source.text("limits the rate of requests", "Wait a little."),
          retryAfter: wish.map {
            Int($0.components.seconds) + ($0.components.attoseconds > 0 ? 1 : 0)
          }),
        advice: wish.map { .after($0) } ?? .backOff)
    case 500...:
      self.init(
        .providerError(source.text("failed", "Try again later.")),
        advice: wish.map { .after($0) } ?? .backOff, countsAgainstService: true)
    case 200..<300:
      self.init(.providerError(source.text("reported an error", "")))
    default:
      self.init(.invalidRequest(source.text("refused the request", "Correct it.")))
    }
    // Waiting does not restore credit, even if a gateway suggests a retry.
    if let wanted = headers["x-should-retry"], !isOutOfCredit {
      if wanted == "false" { advice = .never }
      if wanted == "true", advice == .never { advice = wish.map { .after($0) } ?? .backOff }
    }
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

/// The origin and the quotation of a message.
private struct Source {
  let service: String
  let status: Int
  let headers: HTTPHeaders
  let told: ServiceErrorBody?
  let secrets: [SecureString]

  /// Composes a message, with the service's own one if `quotes` is true.
  func text(_ happened: String, _ remedy: String, quotes: Bool = true) -> String {
    let id =
      told?.requestID ?? headers["x-request-id"] ?? headers["request-id"]
    let facts = [
      "HTTP \(status)", told?.code ?? told?.type, id.map { "request \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
    let words = quotes ? told?.message.map { ": \($0)" } ?? "" : ""
    let sentence = "\(service) \(happened) (\(facts))\(words)"
    let shown = Redaction.shown(sentence, hiding: secrets)
    return remedy.isEmpty
      ? shown : shown + (".!?…".contains(shown.last ?? " ") ? " " : ". ") + remedy
  }
}
