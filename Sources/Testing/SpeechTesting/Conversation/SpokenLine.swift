/// A line that somebody said: the truth with which what was heard is compared.
public struct SpokenLine: Sendable, Hashable, Codable {
  /// Who said it.
  public var person: String
  /// The words; empty for a sound that is not speech.
  public var words: String
  /// When it began, on the clock of the conversation.
  public var start: Duration
  /// When its last sample was said.
  public var end: Duration

  /// A line.
  public init(person: String, words: String, start: Duration, end: Duration) {
    self.person = person
    self.words = words
    self.start = start
    self.end = end
  }
}
