import SpeechConcurrency

/// The source of a service's key, which is asked for each request.
public struct ServiceKey: Sendable {
  /// True if requests without a key are refused immediately.
  public let isRequired: Bool
  /// The format that a key must have to be sent.
  public let format: KeyFormat
  private let find: @Sendable () async throws -> SecureString?

  /// Creates a key from a closure; it returns `nil` if there is none.
  public init(
    isRequired: Bool = true, format: KeyFormat = .any,
    find: @escaping @Sendable () async throws -> SecureString?
  ) {
    self.isRequired = isRequired
    self.format = format
    self.find = find
  }

  /// The key that is stored for a provider.
  public static func stored(
    for providerID: String, in manager: AICredentialManager, isRequired: Bool = true,
    format: KeyFormat = .any
  ) -> ServiceKey {
    ServiceKey(isRequired: isRequired, format: format) {
      try await manager.retrieve(providerID: providerID, type: .apiKey)
    }
  }

  /// A source without a key.
  public static let none = ServiceKey(isRequired: false) { nil }

  /// The validated key.
  ///
  /// - Throws: `AIServiceError.missingCredentials`; `invalidAPIKey` if it is empty, contains
  ///   control characters or has another format; `configurationError` if the credential store
  ///   fails; `CancellationError`.
  func current(for service: String) async throws -> SecureString? {
    do {
      // The sources read files and ask the desktop's service, and all clients share their store.
      if let key = try await ExternalWork.run(find) {
        let valid = try AICredentialValidator.validated(key)
        try format.check(valid, of: service)
        return valid
      }
    } catch let error as AICredentialError {
      if case .invalidFormat = error { throw error.serviceError(of: service) }
      // A server that works without a key also does so while the store is locked.
      guard isRequired else { return nil }
      throw error.serviceError(of: service)
    }
    guard isRequired else { return nil }
    throw AIServiceError.missingCredentials(
      "There is no key for \(service). Store one with `speechkit credentials set`, or set it in "
        + "the environment.")
  }
}
