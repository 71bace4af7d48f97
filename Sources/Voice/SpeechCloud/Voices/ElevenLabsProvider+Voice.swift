import AIServices
import SpeechCore

/// ElevenLabs as a streaming voice with word positions.
extension ElevenLabsProvider: CloudVoice {
  /// The identifier of the provider that uses this engine.
  public static var identifier: String { "com.speechkit.elevenlabs" }

  /// The provider itself, which is also the service.
  public var service: ElevenLabsProvider { self }

  /// Always true: ElevenLabs reports the times of characters.
  public var knowsTimings: Bool { true }

  /// The address and the settings of the voice.
  public var soundSettings: [String] {
    [
      Self.identifier, configuration.endpoint.baseURL, configuration.voice, configuration.model,
      "\(configuration.sampleRate)",
      [configuration.stability, configuration.similarityBoost, configuration.style]
        .map { $0.map { "\($0)" } ?? "" }.joined(separator: "/"),
      configuration.usesSpeakerBoost.map { "\($0)" } ?? "",
    ]
  }

  /// Returns a speed from 0.7 to 1.2, the range of the vendor.
  public func speed(forRate rate: Float) -> Double? {
    guard rate != 0.5 else { return nil }
    return rate < 0.5 ? 0.7 + 0.6 * Double(rate) : 1 + 0.4 * (Double(rate) - 0.5)
  }
}
