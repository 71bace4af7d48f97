import SpeechConcurrency

/// A continuous sound beside the speakers: noise, or a recording that is repeated.
///
/// ```swift
/// let background = Background(.noise(.babble), decibels: 15)
/// ```
public struct Background: Sendable, Hashable {
  /// The sources of a background.
  public enum Source: Sendable, Hashable {
    /// Noise that is generated.
    case noise(Noise)
    /// A recording in the recognisers' format, with a name for reports.
    case recording(PCMBuffer, name: String)

    /// “pink”, or the name of the recording.
    public var name: String {
      switch self {
      case .noise(let noise): noise.rawValue
      case .recording(_, let name): name
      }
    }
  }

  /// The source of the background.
  public var source: Source
  /// The level of the speech above the background, in decibels; pauses are left out.
  public var decibels: Double

  /// Creates a background that is quieter than the speech by the given number of decibels.
  public init(_ source: Source, decibels: Double) {
    self.source = source
    self.decibels = decibels
  }

  /// The generated noise is repeated after this length, which no recogniser notices.
  private static let length = 15 * 16_000

  /// Returns the loop that is heard, with a mean power of one.
  ///
  /// - Throws: The errors of the voices that speak babble.
  func loop(seed: UInt64, atMost frames: Int) async throws -> [Double] {
    switch source {
    case .noise(let noise):
      return try await noise.samples(min(Self.length, max(frames, 1)), seed: seed)
    case .recording(let sound, _):
      let samples = sound.samples.map(Double.init)
      let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(samples.count, 1))
      guard power > 0 else { return [] }
      // Starts at a random position, so that another seed gives another moment.
      var random = SeededNumbers(seed: seed, part: "recording")
      let start = random.next(samples.count)
      let factor = 1 / power.squareRoot()
      return (samples[start...] + samples[..<start]).map { $0 * factor }
    }
  }
}

extension NoiseLevel {
  /// The background of a scene with this noise alone.
  package var backgrounds: [Background] {
    noise.map { [Background(.noise($0), decibels: decibels)] } ?? []
  }
}
