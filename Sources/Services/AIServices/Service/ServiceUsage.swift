/// The resources that requests to a service consumed.
public struct ServiceUsage: Sendable, Hashable, Codable {
  /// The number of answered requests.
  public var requests: Int
  /// The number of input tokens.
  public var inputTokens: Int
  /// The number of output tokens.
  public var outputTokens: Int
  /// The number of synthesised characters.
  public var characters: Int
  /// The generated or transcribed audio in seconds.
  public var audioSeconds: Double

  /// Creates a record of usage.
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

  /// Adds two records of usage.
  public static func + (one: ServiceUsage, other: ServiceUsage) -> ServiceUsage {
    ServiceUsage(
      requests: sum(one.requests, other.requests),
      inputTokens: sum(one.inputTokens, other.inputTokens),
      outputTokens: sum(one.outputTokens, other.outputTokens),
      characters: sum(one.characters, other.characters),
      audioSeconds: one.audioSeconds + other.audioSeconds)
  }

  /// Counts come from services and may have any value.
  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? (one < 0 ? .min : .max) : sum
  }
}
