/// The recognisers that can be asked for by name.
///
/// The names of Apple's recognisers stand for the platform's own one, so that a program moves over
/// unchanged; on Linux that is PocketSphinx. What really runs is the engine's `providerType`.
public enum SpeechRecognitionProviderType: String, CaseIterable, Sendable, Codable {
  /// The best recogniser at hand.
  case auto
  /// PocketSphinx, offline.
  case pocketSphinx
  /// The platform's own recogniser.
  case sfSpeechRecognizer
  /// The platform's own recogniser.
  case speechAnalyzer
}
