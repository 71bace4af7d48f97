import Foundation

/// A provider with a `ServiceClient`, which reports its health and usage.
///
/// ```swift
/// for case let provider as any ServiceClientProvider in AIServiceManager.shared.allProviders() {
///   show(provider.displayName, provider.client.health, provider.client.usage)
/// }
/// ```
public protocol ServiceClientProvider: AIServiceProvider {
  /// The client of the service.
  var client: ServiceClient { get }
}

extension ServiceClientProvider {
  /// The name of the service.
  public var displayName: String { client.name }

  /// The base address of all requests.
  public var baseURL: String { client.endpoint.baseURL }

  /// The timeout of a request in seconds; infinite if only pauses are limited.
  public var timeout: TimeInterval {
    client.endpoint.timeouts.total.map { $0 / .seconds(1) } ?? .infinity
  }

  /// True if requests without a key are refused immediately.
  public var requiresAPIKey: Bool { client.requiresKey }

  /// Checks the address. The key is looked up when it is needed.
  ///
  /// - Throws: `AIServiceError.configurationError` if the address is not valid.
  public func validateConfiguration() throws {
    _ = try client.endpoint.url(path: "")
  }
}
