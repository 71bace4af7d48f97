extension PCMBuffer {
  /// The level of the speech in decibels below full scale, over those hundredths of a second that
  /// are at most 30 dB below the loudest; `nil` for silence.
  ///
  /// It is meant for speech without noise, where the rest is pauses.
  public var speechLevel: Double? {
    let frame = max(format.sampleRate / 100, 1)
    var powers: [Double] = []
    for start in stride(from: 0, to: samples.count, by: frame) {
      let part = samples[start..<min(start + frame, samples.count)]
      powers.append(part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count))
    }
    guard let loudest = powers.max(), loudest > 0 else { return nil }
    let spoken = powers.filter { $0 >= loudest / 1_000 }
    return 10 * log10(spoken.reduce(0, +) / Double(spoken.count) / (32_768 * 32_768))
  }
}
