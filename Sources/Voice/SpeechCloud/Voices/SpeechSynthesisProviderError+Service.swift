import AIServices
import SpeechCore

extension SpeechSynthesisProviderError {
  /// Creates the synthesis error that corresponds to a service's error.
  init(service error: AIServiceError) {
    switch error {
    case .missingCredentials, .invalidAPIKey, .authenticationFailed: self = .authenticationFailed
    case .rateLimitExceeded: self = .rateLimitExceeded
    case .timeout, .connectionFailed, .networkError: self = .networkUnavailable
    case .configurationError(let text), .providerError(let text):
      self = .initializationFailed(text)
    case .invalidRequest(let text), .unexpectedResponseFormat(let text),
      .dataConversionError(let text):
      self = .unknown(text)
    }
  }

  /// Converts an error to this domain; `CancellationError` is unchanged.
  static func translated(_ error: any Error) -> any Error {
    switch error {
    case let service as AIServiceError: SpeechSynthesisProviderError(service: service)
    case is SpeechSynthesisProviderError, is CancellationError: error
    default: SpeechSynthesisProviderError.unknown(error.localizedDescription)
    }
  }
}
