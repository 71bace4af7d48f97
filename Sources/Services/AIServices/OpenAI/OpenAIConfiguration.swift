import Foundation

/// Which server of OpenAI's kind is spoken to, and what is particular about it.
public struct OpenAIConfiguration: Sendable {
  /// The provider's id, which its key is stored under.
  public var id: String
  /// The name that is shown.
  public var displayName: String
  /// Address, headers and time-outs.
  public var endpoint: ServiceEndpoint
  /// Whether requests without a key are refused at once.
  public var requiresKey: Bool
  /// The model that chats.
  public var chatModel: String
  /// The model that makes vectors.
  public var embeddingModel: String
  /// The model that speaks.
  public var speechModel: String
  /// The voice that speaks.
  public var voice: String
  /// The model that writes down.
  public var transcriptionModel: String
  /// The path of transcriptions.
  public var transcriptionPath: String
  /// The samples in a second of headerless sound, unless the answer's content type tells.
  public var speechSampleRate: Int
  /// Whether the length of answers is limited by `max_completion_tokens`; most servers other than
  /// OpenAI's know only `max_tokens`.
  public var usesMaxCompletionTokens: Bool
  /// Whether a streamed answer is asked to tell what it took.
  public var asksForUsage: Bool
  /// Whether the rate of headerless sound is asked for, with `sample_rate`.
  public var sendsSampleRate = false
  /// Whether the server lists its voices under `audio/voices`.
  public var listsVoices = false
  /// Which models are retired where.
  package var models: ModelTable
  /// How much is asked at most.
  public var limits: ServiceLimits
  /// Prices by model, for estimates.
  public var prices: [String: ServicePrice]

  /// A configuration; what is not given is OpenAI's own.
  ///
  /// - Parameters:
  ///   - organization: the organisation that is charged.
  ///   - project: the project that is charged.
  public init(
    id: String = "openai", displayName: String = "OpenAI",
    baseURL: String = OpenAIProvider.defaultBaseURL, organization: String? = nil,
    project: String? = nil, headers: [String: String] = [:], requiresKey: Bool = true
  ) {
    self.id = id
    self.displayName = displayName
    var headers = headers
    headers["OpenAI-Organization"] = organization
    headers["OpenAI-Project"] = project
    endpoint = ServiceEndpoint(baseURL: baseURL, headers: headers)
    self.requiresKey = requiresKey
    chatModel = "gpt-5.6-terra"
    embeddingModel = "text-embedding-3-small"
    speechModel = "gpt-4o-mini-tts"
    voice = "alloy"
    transcriptionModel = "gpt-transcribe"
    transcriptionPath = "audio/transcriptions"
    speechSampleRate = 24_000
    let isOpenAI = endpoint.host == "api.openai.com"
    usesMaxCompletionTokens = isOpenAI
    asksForUsage = isOpenAI
    models = .openAI
    limits = ServiceLimits()
    prices = [:]
  }
}
