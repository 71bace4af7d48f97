/// How ElevenLabs' service is spoken to.
public struct ElevenLabsConfiguration: Sendable {
  /// The vendor's hosts: the general one and those of regions.
  public static let hosts = [
    "api.elevenlabs.io", "api.us.elevenlabs.io", "api.eu.residency.elevenlabs.io",
    "api.in.residency.elevenlabs.io", "api.sg.residency.elevenlabs.io",
  ]

  /// The provider's id, which its key is stored under.
  public var id: String
  /// The name that is shown.
  public var displayName: String
  /// Address, headers and time-outs.
  public var endpoint: ServiceEndpoint
  /// The voice.
  public var voice: String
  /// The model.
  public var model: String
  /// How even the voice is, from 0 to 1; `nil` for the voice's own setting.
  public var stability: Double?
  /// How near it keeps to the original, from 0 to 1; `nil` for the voice's own setting.
  public var similarityBoost: Double?
  /// How much it acts, from 0 to 1; `nil` for the voice's own setting.
  public var style: Double?
  /// Whether to come nearer to the original at the cost of time; `nil` for the voice's own setting.
  public var usesSpeakerBoost: Bool?
  /// The samples in a second of headerless sound: 8, 16, 22.05, 24, 32, 44.1 or 48 kHz. The highest two
  /// are for larger plans only.
  public var sampleRate: Int
  /// Whether the vendor may keep what was spoken.
  public var allowsLogging: Bool
  /// Which models are retired where.
  package var models: ModelTable
  /// How much is asked at most. The vendor limits what runs at once, not what runs in a minute.
  public var limits: ServiceLimits
  /// Prices by model, for estimates.
  public var prices: [String: ServicePrice]

  /// A configuration; what is not given is the vendor's own.
  public init(
    baseURL: String = ElevenLabsProvider.defaultBaseURL, headers: [String: String] = [:]
  ) {
    id = "elevenlabs"
    displayName = "ElevenLabs"
    endpoint = ServiceEndpoint(
      baseURL: baseURL, authentication: .header("xi-api-key"), headers: headers)
    voice = "21m00Tcm4TlvDq8ikWAM"
    model = "eleven_flash_v2_5"
    stability = 0.5
    similarityBoost = 0.75
    sampleRate = 24_000
    allowsLogging = true
    models = .elevenLabs
    limits = ServiceLimits(concurrentRequests: 4)
    prices = [:]
  }
}
