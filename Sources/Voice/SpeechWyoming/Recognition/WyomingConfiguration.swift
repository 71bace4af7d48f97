/// The settings of a `WyomingDecoder`.
///
/// ```swift
/// let configuration = WyomingConfiguration(engine: "localhost:10300")
/// ```
public struct WyomingConfiguration: Sendable {
  /// The address of the engine: `HOST:PORT`, `unix:PATH`, or `exec:COMMAND` for a program that is
  /// started and speaks through its standard input and output. `#NAME` after it selects a model.
  public var engine: String
  /// The phrases to wait for, with an engine for wake words. Each is the phrase or the name of one
  /// of its models, or, with `#NAME` in the address, any text for that model. If there are none,
  /// speech is transcribed.
  public var keyPhrases: [String]
  /// The time limit of an answer, to which four times the duration of the utterance is added. It
  /// includes the time in which a lost engine comes back.
  public var timeout = Duration.seconds(60)
  /// True if results are wanted while an utterance is in progress, from engines that stream them.
  public var reportsPartials = true

  /// Creates a configuration.
  public init(engine: String, keyPhrases: [String] = []) {
    self.engine = engine
    self.keyPhrases = keyPhrases
  }
}
