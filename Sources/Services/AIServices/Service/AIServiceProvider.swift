/// A service that generates content from a prompt.
///
/// Laws: `generate` never throws and never crashes, whatever the parameters; unknown and mistyped
/// parameters are `invalidRequest`; every claimed capability is delivered; it may be called from
/// anywhere and any number of times at once; when its task is cancelled it soon returns a failure.
///
/// Providers without structured data or configuration use the default implementations.
public protocol AIServiceProvider: Sendable {
  /// The identifier of the provider.
  var id: String { get }
  /// The name shown to the user.
  var displayName: String { get }
  /// The kinds of content that `generate` delivers.
  var capabilities: [AICapability] { get }
  /// The kinds of structured data it can generate.
  var supportedDataStructures: [DataStructureCapability] { get }
  /// True if the service requires a key.
  var requiresAPIKey: Bool { get }
  /// The type of content that `generate` returns.
  var responseType: ResponseContent.ContentType { get }

  /// True if the configuration is complete; the service is not asked.
  func isConfigured() -> Bool

  /// Checks the configuration.
  ///
  /// - Throws: `AIServiceError.configurationError` with the reason.
  func validateConfiguration() throws

  /// Generates content from a prompt.
  func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError>
}

extension AIServiceProvider {
  /// No structured data by default.
  public var supportedDataStructures: [DataStructureCapability] { [] }

  /// True if `validateConfiguration` succeeds.
  public func isConfigured() -> Bool { (try? validateConfiguration()) != nil }

  /// Accepts every configuration by default.
  public func validateConfiguration() throws {}
}
