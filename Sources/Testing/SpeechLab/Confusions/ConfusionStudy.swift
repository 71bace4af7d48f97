/// Finds the commands of a grammar that are confused with each other. Many voices speak each of
/// them over noise, and a recogniser with the grammar hears them.
///
/// ```swift
/// let grammar = try TestedGrammar(contentsOf: URL(filePath: "home.commands"))
/// let report = try await ConfusionStudy(grammar).run()
/// print(report.text)
/// ```
public struct ConfusionStudy: Sendable {
  /// The grammar under test.
  public let grammar: TestedGrammar
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The maximum number of sentences. A larger grammar is sampled.
  public var limit: Int
  /// The name of the recogniser in the catalogue; empty for the default one.
  public var recogniser: String

  /// Creates a study of a grammar.
  public init(
    _ grammar: TestedGrammar, conditions: SpeakingConditions = SpeakingConditions(),
    limit: Int = 100, recogniser: String = ""
  ) {
    self.grammar = grammar
    self.conditions = conditions
    self.limit = limit
    self.recogniser = recogniser
  }

  /// Runs the study. The same grammar, conditions and limit give the same report.
  ///
  /// - Parameter progress: Called with the completed share, from 0 to 1.
  /// - Throws: `CommandGrammarError`, `SpeechRecognitionError`, the errors of voices, and
  ///   `CancellationError` if the task is cancelled.
  public func run(
    progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> ConfusionReport {
    let sample = try SentenceSample(grammar, limit: limit, seed: conditions.seed)
    let trials = try await conditions.recognise(
      sample.sentences, with: try grammar.recogniser(recogniser), progress: progress)
    let words = try PocketSphinxWords(
      configuration: grammar.configuration(), locale: Locale(identifier: "en-US"))
    return try ConfusionCount(
      grammar: grammar, sample: sample, conditions: conditions, words: words
    ).report(of: trials)
  }
}
