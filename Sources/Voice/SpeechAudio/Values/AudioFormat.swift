/// How samples are to be read: mono, signed 16 bit, at this many samples a second.
///
/// Everything between the doors of the toolkit is mono 16-bit sound, so the rate is all that differs.
/// ```swift
/// let heard = AudioFormat.recognition          // 16 kHz
/// let spoken = AudioFormat(sampleRate: 22_050)
/// ```
public struct AudioFormat: Sendable, Hashable, Codable {
  /// Samples per second.
  public var sampleRate: Int

  /// A format of that many samples per second.
  public init(sampleRate: Int) {
    self.sampleRate = sampleRate
  }

  /// What recognisers hear: 16 kHz.
  public static let recognition = AudioFormat(sampleRate: 16_000)

  /// How many whole frames fit into that time.
  public func frames(in duration: Duration) -> Int {
    Int((duration.inSeconds * Double(sampleRate)).rounded())
  }

  /// How long that many frames last.
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
