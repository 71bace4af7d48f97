/// What requests to a service took.
public struct ServiceUsage: Sendable, Hashable, Codable {
  /// The requests that were answered.
  public var requests: Int
  /// The tokens that were sent.
  public var inputTokens: Int
  /// The tokens that were answered.
  public var outputTokens: Int
  /// The characters that were spoken.
  public var characters: Int
  /// The sound that was made or transcribed, in seconds.
  public var audioSeconds: Double

  /// Usage.
  public init(
    requests: Int = 0, inputTokens: Int = 0, outputTokens: Int = 0, characters: Int = 0,
    audioSeconds: Double = 0
  ) {
    self.requests = requests
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.characters = characters
    self.audioSeconds = audioSeconds
  }

  /// Both together.
  public static func + (one: ServiceUsage, other: ServiceUsage) -> ServiceUsage {
    ServiceUsage(
      requests: sum(one.requests, other.requests),
      inputTokens: sum(one.inputTokens, other.inputTokens),
      outputTokens: sum(one.outputTokens, other.outputTokens),
      characters: sum(one.characters, other.characters),
      audioSeconds: one.audioSeconds + other.audioSeconds)
  }

  /// The counts come from services, which may tell any number.
  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? (one < 0 ? .min : .max) : sum
  }
}
