/// What a service charges, in its currency.
public struct ServicePrice: Sendable, Hashable {
  /// For a million tokens sent.
  public var perMillionInputTokens: Double
  /// For a million tokens answered.
  public var perMillionOutputTokens: Double
  /// For a thousand characters spoken.
  public var perThousandCharacters: Double
  /// For a minute of sound transcribed or made.
  public var perAudioMinute: Double

  /// A price.
  public init(
    perMillionInputTokens: Double = 0, perMillionOutputTokens: Double = 0,
    perThousandCharacters: Double = 0, perAudioMinute: Double = 0
  ) {
    self.perMillionInputTokens = perMillionInputTokens
    self.perMillionOutputTokens = perMillionOutputTokens
    self.perThousandCharacters = perThousandCharacters
    self.perAudioMinute = perAudioMinute
  }

  /// What that usage costs.
  public func cost(of usage: ServiceUsage) -> Double {
    Double(usage.inputTokens) * perMillionInputTokens / 1_000_000
      + Double(usage.outputTokens) * perMillionOutputTokens / 1_000_000
      + Double(usage.characters) * perThousandCharacters / 1_000
      + usage.audioSeconds * perAudioMinute / 60
  }
}
