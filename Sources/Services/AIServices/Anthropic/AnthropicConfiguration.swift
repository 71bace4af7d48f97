/// The configuration of Anthropic's service, or of one with the same API.
public struct AnthropicConfiguration: Sendable {
  /// The default version of the API.
  public static let defaultVersion = "2023-06-01"

  /// The provider's identifier, under which its key is stored.
  public var id: String
  /// The name shown to the user.
  public var displayName: String
  /// The address, headers and timeouts of the service.
  public var endpoint: ServiceEndpoint
  /// True if requests without a key are refused immediately.
  public var requiresKey: Bool
  /// The format that a key must have to be sent.
  public var keyFormat: KeyFormat
  /// The default model of the provider.
  public var model = "claude-sonnet-5-5"
  /// The maximum number of output tokens for requests without a limit.
  public var maxTokens = 1_024
  /// The models that the vendor has retired.
  package var models = ModelTable.anthropic
  /// The limits on requests to the service.
  public var limits = ServiceLimits()
  /// Prices by model, for cost estimates.
  public var prices: [String: ServicePrice] = [:]

  /// Creates a configuration; the defaults are Anthropic's own.
  ///
  /// - Parameters:
  ///   - version: the version of the API. From `2026-10-21` on it refuses `temperature` and
  ///     `top_p`, which are then reported as `invalidRequest` before anything is sent.
  ///   - betas: the names of beta features to enable.
  public init(
    id: String = "anthropic", displayName: String = "Anthropic",
    baseURL: String = AnthropicProvider.defaultBaseURL,
    version: String = AnthropicConfiguration.defaultVersion, betas: [String] = [],
    headers: [String: String] = [:], requiresKey: Bool = true
  ) {
    self.id = id
    self.displayName = displayName
    var headers = headers
    headers["anthropic-version"] = version
    if !betas.isEmpty { headers["anthropic-beta"] = betas.joined(separator: ",") }
    endpoint = ServiceEndpoint(
      baseURL: baseURL, authentication: .header("x-api-key"), headers: headers)
    self.requiresKey = requiresKey
    keyFormat = endpoint.host == "api.anthropic.com" ? .anthropic : .any
  }

  /// True if this version of the API accepts `temperature` and `top_p`.
  var knowsSampling: Bool { endpoint.headers["anthropic-version"] ?? "" < "2026-10-21" }
}
