/// A provider that reaches its service through a `ServiceClient`, which tells anyone of health and usage.
///
/// ```swift
/// for case let provider as any ServiceClientProvider in AIServiceManager.shared.allProviders() {
///   show(provider.displayName, provider.client.health, provider.client.usage)
/// }
/// ```
public protocol ServiceClientProvider: AIServiceProvider {
  /// The door to the service.
  var client: ServiceClient { get }
}

extension ServiceClientProvider {
  /// The service's name.
  public var displayName: String { client.name }

  /// Whether requests without a key are refused at once.
  public var requiresAPIKey: Bool { client.requiresKey }

  /// Checks the address. The key is looked for when it is needed.
  ///
  /// - Throws: `AIServiceError.configurationError` when the address cannot be one.
  public func validateConfiguration() throws {
    _ = try client.endpoint.url(path: "")
  }
}
