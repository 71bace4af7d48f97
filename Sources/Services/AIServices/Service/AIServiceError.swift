import Foundation

/// An error of a service.
public enum AIServiceError: Error, Hashable, Sendable {
  /// There is no key for the service.
  case missingCredentials(String)
  /// The key is invalid: it is empty or contains control characters.
  case invalidAPIKey(String)
  /// The service refused the key, or lacks a permission for it.
  case authenticationFailed(String)
  /// The rate limit was exceeded; the value is the requested delay in seconds, if any.
  case rateLimitExceeded(String, retryAfter: Int? = nil)
  /// The request is invalid: a parameter, the model or the size.
  case invalidRequest(String)
  /// The service did not respond in time.
  case timeout(String)
  /// The service cannot be reached.
  case connectionFailed(String)
  /// The connection was interrupted.
  case networkError(String)
  /// The service reported an internal failure.
  case providerError(String)
  /// The response does not have the documented form.
  case unexpectedResponseFormat(String)
  /// A value cannot be converted to the requested type.
  case dataConversionError(String)
  /// The configuration is wrong: an address, a certificate, an account without credit, or the
  /// network switched off.
  case configurationError(String)

  /// A description of the error and of its remedy.
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

  /// True if the same request may succeed later without changes.
  public var isRecoverable: Bool {
    switch self {
    case .rateLimitExceeded, .timeout, .connectionFailed, .networkError, .providerError: true
    case .missingCredentials, .invalidAPIKey, .authenticationFailed, .invalidRequest,
      .unexpectedResponseFormat, .dataConversionError, .configurationError:
      false
    }
  }

  /// The delay before another attempt; `nil` if there should be none.
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
  /// A description of the error and of its remedy.
  public var errorDescription: String? { message }
}
