/// A service that makes something of a prompt.
///
/// Laws: `generate` never throws and never crashes, whatever the parameters; unknown and mistyped
/// parameters are `invalidRequest`; it may be called from anywhere, any number of times at once; when its
/// task is cancelled it returns soon, with a failure.
///
/// A provider that fills in no structured data, and one that needs no set-up, says nothing about it.
public protocol AIServiceProvider: Sendable {
  /// The name it is registered under.
  var id: String { get }
  /// The name that is shown.
  var displayName: String { get }
  /// What it can do.
  var capabilities: [AICapability] { get }
  /// The kinds of structured data it can fill in.
  var supportedDataStructures: [DataStructureCapability] { get }
  /// Whether it needs a key.
  var requiresAPIKey: Bool { get }
  /// What `generate` makes.
  var responseType: ResponseContent.ContentType { get }

  /// Whether everything is set up, as far as can be told without asking the service.
  func isConfigured() -> Bool

  /// - Throws: `AIServiceError.configurationError` saying what is wrong with the set-up.
  func validateConfiguration() throws

  /// Makes something of the prompt.
  func generate(
    prompt: String, parameters: [String: Any]
  ) async -> Result<ResponseContent, AIServiceError>
}

extension AIServiceProvider {
  /// None in particular.
  public var supportedDataStructures: [DataStructureCapability] { [] }

  /// Whether `validateConfiguration` finds no fault.
  public func isConfigured() -> Bool { (try? validateConfiguration()) != nil }

  /// Nothing to find fault with.
  public func validateConfiguration() throws {}
}
