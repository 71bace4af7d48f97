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

/// Whether speech may be heard. On Linux: whether a capture device can be opened.
public enum SpeechAuthorizationStatus: String, Sendable, Equatable, CaseIterable, Codable {
  /// Nobody has asked yet.
  case notDetermined
  /// There is a device and it could not be opened.
  case denied
  /// There is no capture device.
  case restricted
  /// A capture device can be opened.
  case authorized
}
