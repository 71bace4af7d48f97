import AIServices
import SpeechCore

/// ElevenLabs as a voice: streamed, with the places of the words.
extension ElevenLabsProvider: CloudVoice {
  /// Unique identifier of the provider that speaks with this engine.
  public static var identifier: String { "com.speechkit.elevenlabs" }

  /// Itself.
  public var service: ElevenLabsProvider { self }

  /// It does.
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

  /// From 0.7 to 1.2, which is what the vendor takes.
  public func speed(forRate rate: Float) -> Double? {
    guard rate != 0.5 else { return nil }
    return rate < 0.5 ? 0.7 + 0.6 * Double(rate) : 1 + 0.4 * (Double(rate) - 0.5)
  }
}
