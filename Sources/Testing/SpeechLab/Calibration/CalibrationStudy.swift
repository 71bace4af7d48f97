import SpeechConcurrency

/// Finds out from which confidence on a sentence of a grammar should be believed: has sentences of the grammar
/// and others said by many voices over noise, and looks at the confidence of what the recogniser makes of them.
///
/// ```swift
/// let report = try await CalibrationStudy(grammar).run()
/// print(report.threshold(falseAccepts: 0.02)?.value ?? 1)
/// ```
public struct CalibrationStudy: Sendable {
  /// What is tried.
  public let grammar: TestedGrammar
  /// Who speaks, and over what.
  public var conditions: SpeakingConditions
  /// How many sentences of each kind are said at most.
  public var limit: Int
  /// The name of the recogniser in the catalogue; empty for its first one.
  public var recogniser: String

  /// A study of a grammar.
  public init(
    _ grammar: TestedGrammar, conditions: SpeakingConditions = SpeakingConditions(),
    limit: Int = 40, recogniser: String = ""
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
  ) async throws -> CalibrationReport {
    let lines = try self.lines()
    let heard = try await SpokenTrials(lines: lines.map(\.text), conditions: conditions)
      .recognise(with: try grammar.recogniser(recogniser), progress: progress)
    let trials = heard.map { trial, outcome in
      CalibrationReport.Trial(
        kind: lines[trial.line].kind, said: lines[trial.line].text, speaker: trial.speaker,
        level: trial.level, heard: outcome.text, confidence: outcome.confidence)
    }
    return CalibrationReport(
      grammar: grammar.commands.name, conditions: conditions, trials: trials)
  }

  private func lines() throws -> [(kind: CalibrationReport.Kind, text: String)] {
    let commands = try SentenceSample(grammar, limit: limit, seed: conditions.seed).sentences
    let others = grammar.otherSpeech(limit, near: commands, seed: conditions.seed)
    return commands.map { (.command, $0) } + others.map { ($0.kind, $0.text) }
  }
}
