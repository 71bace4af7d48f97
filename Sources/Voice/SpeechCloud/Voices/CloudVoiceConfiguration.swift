import AIServices
import SpeechCore

/// How a service's voice speaks for this program.
public struct CloudVoiceConfiguration: Sendable {
  /// The voice; `nil` for the service's default.
  public var voice: String?
  /// The model; `nil` for the service's default.
  public var model: String?
  /// The pace, the volume and the silence around. Services do not let the pitch be changed.
  public var style: SpeakingStyle
  /// How to speak, for services that take words about it.
  public var instructions: String?
  /// Where speech is kept, so that the same words need not be made twice; `nil` for nowhere.
  public var cache: SynthesisCache?
  /// How long the service may take. A conversation cannot wait long; what fails is spoken by the local
  /// voice instead.
  public var timeouts: HTTPTimeouts
  /// How often a part is asked for again before the service counts as failed.
  public var retries: Int

  /// The service's own manner.
  public static let `default` = CloudVoiceConfiguration()

  /// A configuration.
  public init(
    voice: String? = nil, model: String? = nil, style: SpeakingStyle = .default,
    instructions: String? = nil, cache: SynthesisCache? = nil,
    timeouts: HTTPTimeouts = HTTPTimeouts(
      connect: .seconds(3), firstByte: .seconds(8), idle: .seconds(5), total: nil), retries: Int = 1
  ) {
    self.voice = voice
    self.model = model
    self.style = style
    self.instructions = instructions
    self.cache = cache
    self.timeouts = timeouts
    self.retries = retries
  }
}
