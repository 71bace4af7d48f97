import AIServices
import SpeechAudio

/// Speech as it is kept: its sound and the times of its characters.
public struct CachedSpeech: Sendable, Hashable {
  /// The sound.
  public var audio: PCMBuffer
  /// The times of the characters, if the service told them.
  public var timings: [CharacterTiming]

  /// Speech.
  public init(audio: PCMBuffer, timings: [CharacterTiming] = []) {
    self.audio = audio
    self.timings = timings
  }
}
