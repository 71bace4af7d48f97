/// What a `SpeechSegmenter` found. Positions count frames from the beginning of the stream.
///
/// Each utterance is `speechStarted`, any number of the next three, and `speechEnded`. The sound of the
/// first and of all `speech` events, put together, is the stream from the one position to the other.
package enum SpeechSegmenterEvent: Sendable, Equatable {
  /// An utterance has begun. Its sound begins at that position, and this is the first part of it: the
  /// pre-roll and the voice that was needed to be sure.
  case speechStarted(at: Int, preRoll: PCMBuffer)
  /// The next part of it.
  case speech(PCMBuffer)
  /// It has been quiet since that position, for as long as `minimumSilence`.
  case pauseStarted(at: Int)
  /// The voice is back since that position; the utterance goes on.
  case speechResumed(at: Int)
  /// The utterance is over. Its sound ends before that position.
  case speechEnded(at: Int, reason: SpeechEndReason)
}

/// Why an utterance ended.
package enum SpeechEndReason: Sendable, Hashable {
  /// It has been quiet for `maximumSilence`.
  case silence
  /// It became longer than `maximumUtterance`; if the voice goes on, the next one follows without a gap.
  case maximumLength
  /// The stream ended.
  case endOfStream
}
