/// How Anthropic's service, or one that speaks its language, is spoken to.
public struct AnthropicConfiguration: Sendable {
  /// The version of the interface that is asked for unless said otherwise.
  public static let defaultVersion = "2023-06-01"

  /// The provider's id, which its key is stored under.
  public var id: String
  /// The name that is shown.
  public var displayName: String
  /// Address, headers and time-outs.
  public var endpoint: ServiceEndpoint
  /// Whether requests without a key are refused at once.
  public var requiresKey: Bool
  /// The model.
  public var model: String
  /// The most tokens of an answer where the request does not say.
  public var maxTokens: Int
  /// Which models are retired where.
  package var models: ModelTable
  /// How much is asked at most.
  public var limits: ServiceLimits
  /// Prices by model, for estimates.
  public var prices: [String: ServicePrice]

  /// A configuration; what is not given is Anthropic's own.
  ///
  /// - Parameters:
  ///   - version: the version of the interface. From `2026-10-21` on it refuses `temperature` and
  ///     `top_p`, which are then `invalidRequest` before anything is sent.
  ///   - betas: names of functions that are not general yet.
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
    model = "claude-sonnet-5-5"
    maxTokens = 1_024
    models = .anthropic
    limits = ServiceLimits()
    prices = [:]
  }

  /// Whether the version of the interface knows `temperature` and `top_p`.
  var knowsSampling: Bool { endpoint.headers["anthropic-version"] ?? "" < "2026-10-21" }
}
