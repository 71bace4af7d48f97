/// A line that was really spoken, with which recognised text is compared.
public struct SpokenLine: Sendable, Hashable, Codable {
  /// The name of the speaker.
  public var person: String
  /// The words; empty for audio without speech.
  public var words: String
  /// The time of the first sample, on the conversation's clock.
  public var start: Duration
  /// The time after the last sample.
  public var end: Duration

  /// Creates a line from its speaker, words and times.
  public init(person: String, words: String, start: Duration, end: Duration) {
    self.person = person
    self.words = words
    self.start = start
    self.end = end
  }
}
