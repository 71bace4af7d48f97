import AIServices
import Foundation
import SpeechCore

/// The speech service of OpenAI, or of a compatible server, as a voice.
///
/// ```swift
/// let voice = OpenAIVoice(service: OpenAIProvider(configuration: .kokoro()))
/// let provider = VoiceSynthesisProvider(
///   engine: voice, configuration: .default, output: PortAudioSpeaker())
/// ```
public struct OpenAIVoice: CloudVoice {
  /// The identifier of the provider that uses this engine.
  public static let identifier = "com.speechkit.openai"

  /// The service that synthesises the speech.
  public let service: OpenAIProvider

  /// Creates a voice for a service.
  public init(service: OpenAIProvider = OpenAIProvider()) {
    self.service = service
  }

  /// Always false: the service reports no times.
  public let knowsTimings = false

  /// The address and the default settings of the service.
  public var soundSettings: [String] {
    let configuration = service.configuration
    return [
      Self.identifier, configuration.endpoint.baseURL, configuration.voice,
      configuration.speechModel, "\(configuration.speechSampleRate)",
    ]
  }

  /// Returns a speed from a quarter to four times, on a logarithmic scale.
  public func speed(forRate rate: Float) -> Double? {
    guard rate != 0.5 else { return nil }
    return exp2(Double(rate - 0.5) * 4)
  }
}
