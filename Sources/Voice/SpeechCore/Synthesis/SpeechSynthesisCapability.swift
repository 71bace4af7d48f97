/// A feature that not every voice has.
public enum SpeechSynthesisCapability: String, CaseIterable, Sendable, Codable {
  /// Speech can be paused.
  case pause
  /// Speech can be resumed after a pause.
  case resume
  /// Speech starts before all of the text is synthesised.
  case streaming
  /// The voice needs no network.
  case offline
}
