import AIServices
import Foundation
import SpeechCore

/// OpenAI, or a server that speaks its language, as a voice.
///
/// ```swift
/// let voice = OpenAITTSProvider(service: OpenAIProvider(configuration: .kokoro()))
/// let provider = VoiceSynthesisProvider(
///   engine: voice, configuration: .default, output: PortAudioSpeaker())
/// ```
public struct OpenAITTSProvider: CloudVoice {
  /// Unique identifier of the provider that speaks with this engine.
  public static let identifier = "com.speechkit.openai"

  /// The service that speaks.
  public let service: OpenAIProvider

  /// A voice of that service.
  public init(service: OpenAIProvider = OpenAIProvider()) {
    self.service = service
  }

  /// It does not.
  public let knowsTimings = false

  /// The address and the defaults.
  public var soundSettings: [String] {
    let configuration = service.configuration
    return [
      Self.identifier, configuration.endpoint.baseURL, configuration.voice,
      configuration.speechModel, "\(configuration.speechSampleRate)",
    ]
  }

  /// From a quarter to four times, doubled or halved twice from the middle to either end.
  public func speed(forRate rate: Float) -> Double? {
    guard rate != 0.5 else { return nil }
    return exp2(Double(rate - 0.5) * 4)
  }
}
