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
