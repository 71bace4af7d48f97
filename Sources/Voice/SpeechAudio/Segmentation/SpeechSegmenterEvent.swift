/// An event of a `SpeechSegmenter`. Positions count frames from the beginning of the stream.
///
/// Each utterance is `speechStarted`, any number of the next three, and `speechEnded`. The audio of
/// the first and of all `speech` events together is the stream from the one position to the other.
package enum SpeechSegmenterEvent: Sendable, Equatable {
  /// An utterance has begun at that position. The audio is its first part: the pre-roll and the
  /// voice that was needed to detect it.
  case speechStarted(at: Int, preRoll: PCMBuffer)
  /// The next part of the utterance.
  case speech(PCMBuffer)
  /// It has been quiet since that position, for as long as `minimumSilence`.
  case pauseStarted(at: Int)
  /// Speech resumed at that position.
  case speechResumed(at: Int)
  /// The utterance has ended before that position. If it became too long and speech continues, the
  /// next one follows without a gap.
  case speechEnded(at: Int)
}
