/// The configuration of ElevenLabs' service.
public struct ElevenLabsConfiguration: Sendable {
  /// The vendor's hosts: the global one and the regional ones.
  public static let hosts = [
    "api.elevenlabs.io", "api.us.elevenlabs.io", "api.eu.residency.elevenlabs.io",
    "api.in.residency.elevenlabs.io", "api.sg.residency.elevenlabs.io",
  ]

  /// The provider's identifier, under which its key is stored.
  public var id = "elevenlabs"
  /// The name shown to the user.
  public var displayName = "ElevenLabs"
  /// The address, headers and timeouts of the service.
  public var endpoint: ServiceEndpoint
  /// The format that a key must have to be sent.
  public var keyFormat: KeyFormat
  /// The default voice of the provider.
  public var voice = "21m00Tcm4TlvDq8ikWAM"
  /// The default model of the provider.
  public var model = "eleven_flash_v2_5"
  /// The stability of the voice, from 0 to 1; `nil` for the voice's own setting.
  public var stability: Double? = 0.5
  /// The similarity to the original speaker, from 0 to 1; `nil` for the voice's own setting.
  public var similarityBoost: Double? = 0.75
  /// The exaggeration of the style, from 0 to 1; `nil` for the voice's own setting.
  public var style: Double?
  /// True for greater similarity at the cost of latency; `nil` for the voice's own setting.
  public var usesSpeakerBoost: Bool?
  /// The sample rate of headerless audio: 8, 16, 22.05, 24, 32, 44.1 or 48 kHz. The two highest
  /// require a larger plan.
  public var sampleRate = 24_000
  /// True if the vendor may keep the spoken text.
  public var allowsLogging = true
  /// The models that the vendor has retired.
  package var models = ModelTable.elevenLabs
  /// The limits on requests. The vendor limits simultaneous requests, not those per minute.
  public var limits = ServiceLimits(concurrentRequests: 4)
  /// Prices by model, for cost estimates.
  public var prices: [String: ServicePrice] = [:]

  /// Creates a configuration; the defaults are the vendor's own.
  public init(
    baseURL: String = ElevenLabsProvider.defaultBaseURL, headers: [String: String] = [:]
  ) {
    endpoint = ServiceEndpoint(
      baseURL: baseURL, authentication: .header("xi-api-key"), headers: headers)
    keyFormat = Self.hosts.contains(endpoint.host) ? .elevenLabs : .any
  }
}
