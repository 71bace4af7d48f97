import SpeechAudio

/// Finds the words of a text in its synthesised audio, for voices that do not report the positions
/// of words.
public protocol WordAligner: Sendable {
  /// The positions of the words. Words that are not found are left out; an empty result is not an
  /// error.
  func positions(of text: String, in audio: PCMBuffer) async -> [SpeechPosition]
}
