/// Where a service's key comes from, asked anew for each request.
public struct ServiceKey: Sendable {
  /// Whether requests without a key are refused at once.
  public let isRequired: Bool
  private let find: @Sendable () async throws -> SecureString?

  /// A key from somewhere; `nil` if there is none.
  public init(
    isRequired: Bool = true, find: @escaping @Sendable () async throws -> SecureString?
  ) {
    self.isRequired = isRequired
    self.find = find
  }

  /// The key that is stored for a provider.
  public static func stored(
    for providerID: String, in manager: AICredentialManager, isRequired: Bool = true
  ) -> ServiceKey {
    ServiceKey(isRequired: isRequired) {
      try await manager.retrieve(providerID: providerID, type: .apiKey)
    }
  }

  /// No key.
  public static let none = ServiceKey(isRequired: false) { nil }

  /// The key, fit to be sent.
  ///
  /// - Throws: `AIServiceError.missingCredentials`, `invalidAPIKey` when it is empty or holds control
  ///   characters, `configurationError` when the place for keys fails; `CancellationError`.
  func current(for service: String) async throws -> SecureString? {
    do {
      if let key = try await find() { return try AICredentialValidator.validated(key) }
    } catch let error as AICredentialError {
      if case .invalidFormat = error { throw error.serviceError(of: service) }
      // A server that works without a key does so too where the place for keys is locked.
      guard isRequired else { return nil }
      throw error.serviceError(of: service)
    }
    guard isRequired else { return nil }
    throw AIServiceError.missingCredentials(
      "There is no key for \(service). Store one with `speechkit credentials set`, or put it into the "
        + "environment.")
  }
}
