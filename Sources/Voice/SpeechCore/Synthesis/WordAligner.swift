import SpeechAudio

/// Finds the words of a text in the sound that a voice made of it, for voices that do not tell where they
/// are.
public protocol WordAligner: Sendable {
  /// Where the words are heard. What is not found is left out; nothing at all is no failure.
  func positions(of text: String, in audio: PCMBuffer) async -> [SpeechPosition]
}
