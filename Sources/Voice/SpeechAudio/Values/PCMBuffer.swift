import Foundation

/// A stretch of sound as a value: 16-bit mono samples and their format.
///
/// ```swift
/// let silence = PCMBuffer.silence(.seconds(1), format: .recognition)
/// print(silence.frameCount, silence.level)   // 16000, about -inf dB
/// ```
public struct PCMBuffer: Sendable, Hashable {
  /// The samples, one per frame.
  public var samples: [Int16]
  /// How the samples are to be read.
  public let format: AudioFormat

  /// A buffer of these samples.
  public init(samples: [Int16] = [], format: AudioFormat) {
    self.samples = samples
    self.format = format
  }

  /// A buffer of samples taken from a slice.
  public init(samples: some Sequence<Int16>, format: AudioFormat) {
    self.init(samples: Array(samples), format: format)
  }

  /// Nothing but zeroes for that long.
  public static func silence(_ duration: Duration, format: AudioFormat) -> PCMBuffer {
    PCMBuffer(samples: [Int16](repeating: 0, count: format.frames(in: duration)), format: format)
  }

  /// How many frames it holds.
  public var frameCount: Int { samples.count }

  /// Whether it holds no frame at all.
  public var isEmpty: Bool { samples.isEmpty }

  /// How long it lasts.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  /// The root mean square of the samples in decibels below full scale; minus infinity for silence.
  public var level: Double {
    guard !samples.isEmpty else { return -.infinity }
    var sum = 0.0
    for sample in samples { sum += Double(sample) * Double(sample) }
    return 10 * log10(sum / Double(samples.count) / (32_768 * 32_768))
  }

  /// The largest absolute sample, as a share of full scale.
  public var peak: Double {
    Double(samples.reduce(0) { Swift.max($0, abs(Int($1))) }) / 32_768
  }
}
