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

/// What a voice can do.
public enum SpeechSynthesisCapability: String, CaseIterable, Sendable, Codable {
  /// It can be paused.
  case pause
  /// It can go on after a pause.
  case resume
  /// It starts speaking before all is synthesised.
  case streaming
  /// It needs no network.
  case offline
}

/// What happens while something is spoken.
public enum SpeechSynthesisEvent: Sendable, Equatable {
  /// The first sound is on its way.
  case started
  /// So much has been heard, from 0 to 1.
  case progress(Float)
  /// The sound is held.
  case paused
  /// The sound goes on.
  case resumed
  /// The last sample has been heard.
  case completed
  /// It ended early.
  case failed(SpeechSynthesisProviderError)
}
