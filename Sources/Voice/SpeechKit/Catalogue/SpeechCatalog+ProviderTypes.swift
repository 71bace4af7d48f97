import SpeechCore

extension SpeechCatalog {
  /// The voice engine of a provider type: the one of the same name, whatever the case; the first one
  /// for the platform's own; the first available one for `auto`.
  func voiceEntry(for type: SpeechSynthesisProviderType) -> VoiceEntry? {
    let name = type.rawValue.lowercased()
    return voices.first { $0.name == name }
      ?? (type == .auto ? voices.first(where: \.isAvailable) : nil) ?? voices.first
  }

  /// The provider type of the voice engine with that identifier; `auto` if there is none.
  func type(ofVoice identifier: String) -> SpeechSynthesisProviderType {
    let name = voices.first { $0.identifier == identifier }?.name
    return .allCases.first { $0.rawValue.lowercased() == name } ?? .auto
  }

  /// The recogniser of a provider type: the one of the same name, whatever the case, else the first.
  func recogniserEntry(for type: SpeechRecognitionProviderType) -> RecogniserEntry? {
    let name = type.rawValue.lowercased()
    return recognisers.first { $0.name == name } ?? recognisers.first
  }

  /// The provider type of the recogniser with that identifier; `auto` if there is none.
  func type(ofRecogniser identifier: String) -> SpeechRecognitionProviderType {
    let name = recognisers.first { $0.identifier == identifier }?.name
    return .allCases.first { $0.rawValue.lowercased() == name } ?? .auto
  }
}
