import SpeechAudio

/// The audio of an utterance, of which the beginning may have been dropped.
struct WyomingAudio: Sendable {
  /// The part that is there.
  private(set) var kept: PCMBuffer
  /// The position of its first frame in the utterance.
  private(set) var start = 0

  /// Creates the audio of a whole utterance.
  init(_ utterance: PCMBuffer = PCMBuffer(format: .recognition)) {
    kept = utterance
  }

  /// The position after the last frame.
  var end: Int { start + kept.frameCount }

  /// Adds audio, and drops the beginning of what is longer than the limit.
  mutating func append(_ audio: PCMBuffer, keeping limit: Int = .max) {
    kept.append(audio)
    // By the second, because dropping moves the rest.
    guard kept.frameCount - kept.format.sampleRate > limit else { return }
    let excess = kept.frameCount - limit
    kept.samples.removeFirst(excess)
    start += excess
  }
}
