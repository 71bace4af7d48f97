import Foundation

/// What can go wrong with a service.
public enum AIServiceError: Error, Hashable, Sendable {
  /// There is no key for the service.
  case missingCredentials(String)
  /// The key cannot be one: it is empty or holds control characters.
  case invalidAPIKey(String)
  /// The service refused the key, or what it may do.
  case authenticationFailed(String)
  /// The service wants fewer requests; after that many seconds, if it said so.
  case rateLimitExceeded(String, retryAfter: Int? = nil)
  /// The request is wrong: a parameter, the model, the size.
  case invalidRequest(String)
  /// It took too long.
  case timeout(String)
  /// The service cannot be reached.
  case connectionFailed(String)
  /// The connection broke off.
  case networkError(String)
  /// The service failed.
  case providerError(String)
  /// The answer is not of the documented form.
  case unexpectedResponseFormat(String)
  /// Something cannot be turned into the type that is asked for.
  case dataConversionError(String)
  /// The set-up is wrong: an address, a certificate, an account without credit, the network switched off.
  case configurationError(String)

  /// What happened, and what to do about it.
  public var message: String {
    switch self {
    case .missingCredentials(let text), .invalidAPIKey(let text), .authenticationFailed(let text),
      .rateLimitExceeded(let text, _), .invalidRequest(let text), .timeout(let text),
      .connectionFailed(let text), .networkError(let text), .providerError(let text),
      .unexpectedResponseFormat(let text), .dataConversionError(let text),
      .configurationError(let text):
      text
    }
  }

  /// Whether the same request may well succeed later, with nothing changed.
  public var isRecoverable: Bool {
    switch self {
    case .rateLimitExceeded, .timeout, .connectionFailed, .networkError, .providerError: true
    case .missingCredentials, .invalidAPIKey, .authenticationFailed, .invalidRequest,
      .unexpectedResponseFormat, .dataConversionError, .configurationError:
      false
    }
  }

  /// How long to wait before trying again; `nil` where that makes no sense.
  public var retryDelay: Duration? {
    switch self {
    case .rateLimitExceeded(_, let seconds): .seconds(seconds ?? 5)
    case .timeout, .connectionFailed, .providerError: .seconds(5)
    case .networkError: .seconds(2)
    default: nil
    }
  }
}

extension AIServiceError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? { message }
}
