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
