import AIServices
import SpeechAudio

/// Cached speech: its audio and the times of its characters.
package struct CachedSpeech: Sendable, Hashable {
  /// The audio.
  package var audio: PCMBuffer
  /// The times of the characters, if the service reported them.
  package var timings: [CharacterTiming]

  /// Creates an entry.
  package init(audio: PCMBuffer, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}
