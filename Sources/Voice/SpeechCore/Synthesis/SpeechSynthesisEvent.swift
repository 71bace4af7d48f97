/// An event of the text that is spoken.
public enum SpeechSynthesisEvent: Sendable, Equatable {
  /// The first audio is about to be played.
  case started
  /// The fraction that has been heard, from 0 to 1.
  case progress(Float)
  /// The audio is paused.
  case paused
  /// The audio continues after a pause.
  case resumed
  /// The last sample has been heard.
  case completed
  /// Speech ended early.
  case failed(SpeechSynthesisProviderError)
}
