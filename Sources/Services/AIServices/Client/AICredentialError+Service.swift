import ServiceCredentials

extension AICredentialError {
  /// The corresponding error of a provider.
  public var serviceError: AIServiceError { serviceError(saying: localizedDescription) }

  /// The corresponding error, with the provider's name in its message.
  func serviceError(of service: String) -> AIServiceError {
    serviceError(saying: "\(service): \(localizedDescription)")
  }

  private func serviceError(saying text: String) -> AIServiceError {
    switch self {
    case .invalidFormat: .invalidAPIKey(text)
    case .notFound, .storeUnavailable: .missingCredentials(text)
    case .expired: .authenticationFailed(text)
    case .readOnly, .storeLocked, .insecureFile, .corruptFile, .storageFailed:
      .configurationError(text)
    }
  }
}
