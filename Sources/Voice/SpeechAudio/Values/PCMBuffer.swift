import Foundation

/// A stretch of audio as a value: 16-bit mono samples and their format.
///
/// ```swift
/// let silence = PCMBuffer.silence(.seconds(1), format: .recognition)
/// print(silence.frameCount, silence.level)   // 16000, about -inf dB
/// ```
public struct PCMBuffer: Sendable, Hashable {
  /// The samples, one per frame.
  public var samples: [Int16]
  /// The format of the samples.
  public let format: AudioFormat

  /// Creates a buffer of these samples.
  public init(samples: [Int16] = [], format: AudioFormat) {
    self.samples = samples
    self.format = format
  }

  /// Creates a buffer of the samples of a sequence.
  public init(samples: some Sequence<Int16>, format: AudioFormat) {
    self.init(samples: Array(samples), format: format)
  }

  /// Creates digital silence of that duration.
  public static func silence(_ duration: Duration, format: AudioFormat) -> PCMBuffer {
    PCMBuffer(samples: [Int16](repeating: 0, count: format.frames(in: duration)), format: format)
  }

  /// The number of frames.
  public var frameCount: Int { samples.count }

  /// True if there are no frames.
  public var isEmpty: Bool { samples.isEmpty }

  /// The duration of the audio.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  /// The root mean square of the samples in decibels below full scale; minus infinity for silence.
  public var level: Double {
    guard !samples.isEmpty else { return -.infinity }
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return 10 * log10(sum / Double(samples.count) / (32_768 * 32_768))
  }

  /// The largest absolute sample, as a fraction of full scale.
  public var peak: Double {
    Double(samples.reduce(0) { Swift.max($0, abs(Int($1))) }) / 32_768
  }
}
