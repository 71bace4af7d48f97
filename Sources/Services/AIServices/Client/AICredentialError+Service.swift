import ServiceCredentials

extension AICredentialError {
  /// The same, as providers report it.
  public var serviceError: AIServiceError { serviceError(saying: localizedDescription) }

  /// The same, as the provider of that name reports it.
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
