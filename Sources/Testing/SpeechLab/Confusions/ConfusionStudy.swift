/// Finds the commands of a grammar that are mistaken for others: has each said by many voices over noise,
/// recognises all of it with the grammar, and counts.
///
/// ```swift
/// let grammar = try TestedGrammar(contentsOf: URL(filePath: "home.commands"))
/// let report = try await ConfusionStudy(grammar).run()
/// print(report.text)
/// ```
public struct ConfusionStudy: Sendable {
  /// What is tried.
  public let grammar: TestedGrammar
  /// Who speaks, and over what.
  public var conditions: SpeakingConditions
  /// How many sentences are tried at most; more are sampled.
  public var limit: Int
  /// The name of the recogniser in the catalogue; empty for its first one.
  public var recogniser: String

  /// A study of a grammar.
  public init(
    _ grammar: TestedGrammar, conditions: SpeakingConditions = SpeakingConditions(),
    limit: Int = 100, recogniser: String = ""
  ) {
    self.grammar = grammar
    self.conditions = conditions
    self.limit = limit
    self.recogniser = recogniser
  }

  /// Speaks and listens. The same grammar, conditions and limit give the same report.
  ///
  /// - Parameter progress: called with the share that is done, from 0 to 1.
  /// - Throws: `CommandGrammarError`, `SpeechRecognitionError`, what voices throw, and `CancellationError`
  ///   when the task is cancelled.
  public func run(
    progress: @escaping @Sendable (Double) async -> Void = { _ in }
  ) async throws -> ConfusionReport {
    let sample = try SentenceSample(grammar, limit: limit, seed: conditions.seed)
    let heard = try await SpokenTrials(lines: sample.sentences, conditions: conditions)
      .recognise(with: try grammar.recogniser(recogniser), progress: progress)
    let words = try PocketSphinxWords(
      configuration: grammar.configuration(), locale: Locale(identifier: "en-US"))
    let trials = heard.map { trial, outcome in
      ConfusionCount.Trial(
        line: trial.line, speaker: trial.speaker, level: trial.level, heard: outcome.text)
    }
    return try ConfusionCount(
      grammar: grammar, sample: sample, conditions: conditions, words: words
    ).report(of: trials)
  }
}
