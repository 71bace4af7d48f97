import Foundation

/// An event of a recogniser, in the order in which they happen: speech as well as its text.
///
/// An utterance is `speechStarted`, any number of pauses and partial results, `speechStopped`, and
/// `speechEnded`. Its final result or rejection comes before `speechEnded`, and is absent if
/// nothing was recognised. All times are seconds since listening started.
public enum HearingEvent: Sendable {
  /// Speech began.
  case speechStarted(UUID, at: TimeInterval)
  /// It has been quiet since that time.
  case speechPaused(UUID, at: TimeInterval)
  /// Speech resumed after a pause.
  case speechResumed(UUID, at: TimeInterval)
  /// No more audio belongs to the utterance, and `lastVoice` is the time of the last voice in it.
  /// Its result follows.
  case speechStopped(UUID, lastVoice: TimeInterval)
  /// A partial or final result.
  case result(SpeechRecognitionResult)
  /// The recogniser does not listen for such an utterance. Replaces the final result.
  case rejected(RejectedUtterance)
  /// The utterance, whose audio ends at that time, is complete: nothing more is reported about it.
  case speechEnded(UUID, at: TimeInterval)
  /// The device is gone; the recogniser waits for it.
  case deviceLost(SpeechRecognitionError)
  /// The device is back.
  case deviceReturned
}
