import SpeechAudio

/// An input of a `SpeechDecoder`.
///
/// An utterance arrives either as it is spoken (`start`, any number of `audio` and `paused`, then
/// `finish` or `discard`) or complete, as `utterance`. The other inputs come between utterances
/// only.
public enum DecoderInput: Sendable {
  /// The duration without speech since the last utterance.
  case silence(Duration)
  /// The requirement of a key phrase before anything else is recognised. Decoders that do not
  /// listen for key phrases ignore it.
  case keyPhraseExpected(Bool)
  /// The words before the next utterance, such as the last reply of a conversation, by which words
  /// that sound alike can be told apart. Most decoders ignore it.
  case context(String)
  /// The beginning of an utterance.
  case start
  /// The next stretch of the utterance.
  case audio(PCMBuffer)
  /// The beginning or the end of a pause in the utterance. A pause may be the end of the utterance:
  /// a decoder that takes its time can begin with the audio so far. Others ignore it.
  case paused(Bool)
  /// The end of the utterance, whose result is wanted.
  case finish
  /// The end of the utterance, whose result is not wanted. Ignored when no utterance is in
  /// progress.
  case discard
  /// A complete utterance.
  case utterance(PCMBuffer)
}

extension DecoderInput {
  /// True for the end of an utterance whose result is wanted.
  var wantsResult: Bool {
    switch self {
    case .finish, .utterance: true
    case .silence, .keyPhraseExpected, .context, .start, .audio, .paused, .discard: false
    }
  }

  /// True for the end of an utterance.
  package var endsUtterance: Bool {
    if case .discard = self { true } else { wantsResult }
  }
}
