import SpeechAudio

/// Turns sound as it is written into sound as the device takes it.
struct RateConverter: ~Copyable {
  private let source: AudioFormat
  private let target: AudioFormat

  /// - Throws: `AudioError.conversionFailed` when the rates cannot be converted.
  init(from source: AudioFormat, to target: AudioFormat) throws(AudioError) {
    self.source = source
    self.target = target
    if source != target {
      throw .conversionFailed(
        reason: "\(source.sampleRate) Hz to \(target.sampleRate) Hz")
    }
  }

  mutating func convert(_ buffer: PCMBuffer) throws -> [Int16] { buffer.samples }

  /// What is still inside.
  mutating func finish() -> [Int16] { [] }

  /// How many whole frames of the source that many frames of the target stand for.
  func sourceFrames(_ frames: Int) -> Int {
    source == target ? frames : frames * source.sampleRate / target.sampleRate
  }
}
