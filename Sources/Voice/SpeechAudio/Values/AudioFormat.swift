/// The format of samples: mono, signed 16 bit, at a sample rate.
///
/// All audio inside the toolkit is mono and 16 bit, so formats differ in their rate only.
/// ```swift
/// let heard = AudioFormat.recognition          // 16 kHz
/// let spoken = AudioFormat(sampleRate: 22_050)
/// ```
public struct AudioFormat: Sendable, Hashable, Codable {
  /// The number of samples per second.
  public var sampleRate: Int

  /// Creates a format with that sample rate.
  public init(sampleRate: Int) {
    self.sampleRate = sampleRate
  }

  /// The format of recognisers: 16 kHz.
  public static let recognition = AudioFormat(sampleRate: 16_000)

  /// Returns the number of whole frames in that duration.
  public func frames(in duration: Duration) -> Int {
    Int((duration.inSeconds * Double(sampleRate)).rounded())
  }

  /// Returns the duration of that many frames.
  public func duration(ofFrames frames: Int) -> Duration {
    .seconds(Double(frames) / Double(sampleRate))
  }
}

extension Duration {
  /// The duration in seconds, as a fraction.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
