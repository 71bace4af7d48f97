/// The prices of a model, in the vendor's currency.
public struct ServicePrice: Sendable, Hashable {
  /// The price of a million input tokens.
  public var perMillionInputTokens: Double
  /// The price of a million output tokens.
  public var perMillionOutputTokens: Double
  /// The price of a thousand characters of synthesised text.
  public var perThousandCharacters: Double
  /// The price of a minute of transcribed or generated audio.
  public var perAudioMinute: Double

  /// Creates a price; the defaults are zero.
  public init(
    perMillionInputTokens: Double = 0, perMillionOutputTokens: Double = 0,
    perThousandCharacters: Double = 0, perAudioMinute: Double = 0
  ) {
    self.perMillionInputTokens = perMillionInputTokens
    self.perMillionOutputTokens = perMillionOutputTokens
    self.perThousandCharacters = perThousandCharacters
    self.perAudioMinute = perAudioMinute
  }

  /// The cost of the given usage.
  public func cost(of usage: ServiceUsage) -> Double {
    Double(usage.inputTokens) * perMillionInputTokens / 1_000_000
      + Double(usage.outputTokens) * perMillionOutputTokens / 1_000_000
      + Double(usage.characters) * perThousandCharacters / 1_000
      + usage.audioSeconds * perAudioMinute / 60
  }
}
