import Foundation

/// The configuration of a server with OpenAI's API, and its particularities.
public struct OpenAIConfiguration: Sendable {
  /// The provider's identifier, under which its key is stored.
  public var id: String
  /// The name shown to the user.
  public var displayName: String
  /// The address, headers and timeouts of the server.
  public var endpoint: ServiceEndpoint
  /// True if requests without a key are refused immediately.
  public var requiresKey: Bool
  /// The format that a key must have to be sent.
  public var keyFormat: KeyFormat
  /// The default model for chat.
  public var chatModel = "gpt-5.6-terra"
  /// The default model for embeddings.
  public var embeddingModel = "text-embedding-3-small"
  /// The default model for speech.
  public var speechModel = "gpt-4o-mini-tts"
  /// The default voice for speech.
  public var voice = "alloy"
  /// The default model for transcription.
  public var transcriptionModel = "gpt-transcribe"
  /// The default model for live transcription.
  public var liveTranscriptionModel = "gpt-live-transcribe"
  /// The path of the transcription endpoint.
  public var transcriptionPath = "audio/transcriptions"
  /// The sample rate of headerless audio, unless the response's content type states one.
  public var speechSampleRate = 24_000
  /// True if output is limited by `max_completion_tokens`; most servers other than OpenAI's only
  /// support `max_tokens`.
  public var usesMaxCompletionTokens: Bool
  /// True to request usage in streamed answers.
  public var asksForUsage: Bool
  /// True to request the rate of headerless audio with `sample_rate`.
  public var sendsSampleRate = false
  /// True if the server lists its voices under `audio/voices`.
  public var listsVoices = false
  /// The models that the vendor has retired.
  package var models = ModelTable.openAI
  /// The limits on requests to the server.
  public var limits = ServiceLimits()
  /// Prices by model, for cost estimates.
  public var prices: [String: ServicePrice] = [:]

  /// Creates a configuration; the defaults are OpenAI's own.
  ///
  /// - Parameters:
  ///   - organization: the organisation to charge.
  ///   - project: the project to charge.
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
    let isOpenAI = Self.isOpenAI(endpoint)
    usesMaxCompletionTokens = isOpenAI
    asksForUsage = isOpenAI
    keyFormat = isOpenAI ? .openAI : .any
  }

  /// True for OpenAI itself, and not for another server of its kind.
  var isOpenAI: Bool { Self.isOpenAI(endpoint) }

  private static func isOpenAI(_ endpoint: ServiceEndpoint) -> Bool {
    ModelTable.openAI.hosts.contains(endpoint.host)
  }
}
