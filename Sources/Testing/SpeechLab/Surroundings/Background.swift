import SpeechConcurrency

/// What is heard all the time beside those who speak: a noise, or a recording that begins anew where it ends.
///
/// ```swift
/// let background = Background(.noise(.babble), decibels: 15)
/// ```
public struct Background: Sendable, Hashable {
  /// What is heard.
  public enum Source: Sendable, Hashable {
    /// Made noise.
    case noise(Noise)
    /// A recording in the recognisers' format, with the name to tell it by.
    case recording(PCMBuffer, name: String)

    /// “pink”, or the name of the recording.
    public var name: String {
      switch self {
      case .noise(let noise): noise.rawValue
      case .recording(_, let name): name
      }
    }
  }

  /// What is heard.
  public var source: Source
  /// How many decibels louder the speech is, pauses left out.
  public var decibels: Double

  /// That, so many decibels below the speech.
  public init(_ source: Source, decibels: Double) {
    self.source = source
    self.decibels = decibels
  }

  /// So much noise is made, and heard again from its beginning then: no recogniser has that in the ear.
  private static let length = 15 * 16_000

  /// The loop that is heard, of a mean power of one.
  ///
  /// - Throws: what the voices of babble throw.
  func loop(seed: UInt64, atMost frames: Int) async throws -> [Double] {
    switch source {
    case .noise(let noise):
      return try await noise.samples(min(Self.length, max(frames, 1)), seed: seed)
    case .recording(let sound, _):
      let samples = sound.samples.map(Double.init)
      let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(samples.count, 1))
      guard power > 0 else { return [] }
      // From somewhere in it, so that another seed is another moment.
      var random = SeededNumbers(seed: seed, part: "recording")
      let start = random.next(samples.count)
      let factor = 1 / power.squareRoot()
      return (samples[start...] + samples[..<start]).map { $0 * factor }
    }
  }
}
