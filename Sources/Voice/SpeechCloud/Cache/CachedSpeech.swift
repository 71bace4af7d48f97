import AIServices
import SpeechAudio

/// Speech as it is kept: its sound and the times of its characters.
package struct CachedSpeech: Sendable, Hashable {
  /// The sound.
  package var audio: PCMBuffer
  /// The times of the characters, if the service told them.
  package var timings: [CharacterTiming]

  /// Speech.
  package init(audio: PCMBuffer, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}
