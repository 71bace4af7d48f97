import AIServices
import SpeechCore

/// The configuration of a service's voice.
public struct CloudVoiceConfiguration: Sendable {
  /// The voice; `nil` for the service's default.
  public var voice: String?
  /// The model; `nil` for the service's default.
  public var model: String?
  /// The pace, the volume and the silence around the speech. Services do not support the pitch.
  public var style: SpeakingStyle
  /// Instructions for the manner of speaking, for services that accept them.
  public var instructions: String?
  /// The cache that avoids repeated synthesis of the same text; `nil` for none.
  public var cache: SynthesisCache?
  /// The timeouts of the service. They are short, because in a conversation the local voice takes
  /// over after a failure.
  public var timeouts: HTTPTimeouts
  /// The number of retries for a part before the service counts as failed.
  public var retries: Int

  /// The defaults of the service, without a cache.
  public static let `default` = CloudVoiceConfiguration()

  /// Creates a configuration; `nil` stands for the service's default.
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
