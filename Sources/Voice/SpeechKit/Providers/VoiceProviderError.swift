/// An error of a `VoiceProvider`.
public enum VoiceProviderError: Error, Equatable, Sendable {
  /// The engine is not installed, or its service has no valid key.
  case notConfigured
  /// The service cannot be reached or refuses the request; the text contains the reason.
  case networkError(String)
  /// The service returned something that is not audio.
  case invalidResponse
  /// There is no provider of that name.
  case unsupportedProvider
  /// The provider cannot do this.
  case notSupported
  /// The text cannot be spoken, or there is no such voice; the text contains the reason.
  case invalidRequest(String)
}

extension VoiceProviderError: LocalizedError {
  /// The description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .notConfigured:
      "The voice provider is not configured. Install its voices, or store its key with "
        + "`speechkit credentials set`."
    case .networkError(let message), .invalidRequest(let message): message
    case .invalidResponse: "Invalid response: the service sent no audio. Try another voice."
    case .unsupportedProvider:
      "There is no voice provider of that name. `speechkit doctor` lists those that there are."
    case .notSupported: "The voice provider does not support this. Use another provider."
    }
  }
}

extension VoiceProviderError {
  /// Converts an engine's error to this domain.
  init(_ error: any Error) {
    guard let known = error as? SpeechSynthesisProviderError else {
      self = error as? VoiceProviderError ?? .networkError(error.localizedDescription)
      return
    }
    switch known {
    case .providerNotAvailable, .initializationFailed, .authenticationFailed: self = .notConfigured
    case .invalidText, .voiceNotAvailable: self = .invalidRequest(known.localizedDescription)
    case .networkUnavailable, .rateLimitExceeded, .playbackFailed, .cancelled, .unknown:
      self = .networkError(known.localizedDescription)
    }
  }
}
