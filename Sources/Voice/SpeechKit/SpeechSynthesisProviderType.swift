/// The voices that can be asked for by name.
public enum SpeechSynthesisProviderType: String, CaseIterable, Sendable, Codable {
  /// The best voice at hand.
  case auto
  /// The platform's own voice; on Linux eSpeak NG.
  case apple
  /// eSpeak NG, offline.
  case eSpeak
  /// Flite, offline.
  case flite
  /// The voices of ElevenLabs.
  case elevenLabs
  /// The voices of OpenAI.
  case openAI
  /// The platform's own offline voice; on Linux eSpeak NG.
  case localTTS
}
