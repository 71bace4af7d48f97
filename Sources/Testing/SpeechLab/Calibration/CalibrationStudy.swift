import SpeechConcurrency

/// Measures the confidence from which on a grammar's sentences should be accepted. Many voices
/// speak sentences of the grammar and others over noise, and a recogniser with the grammar hears
/// them.
///
/// ```swift
/// let report = try await CalibrationStudy(grammar).run()
/// print(report.threshold(falseAccepts: 0.02)?.value ?? 1)
/// ```
public struct CalibrationStudy: Sendable {
  /// The grammar under test.
  public let grammar: TestedGrammar
  /// The speakers and the noise.
  public var conditions: SpeakingConditions
  /// The maximum number of sentences of each kind.
  public var limit: Int
  /// The name of the recogniser in the catalogue; empty for the default one.
  public var recogniser: String

  /// Creates a study of a grammar.
  public init(
    _ grammar: TestedGrammar, conditions: SpeakingConditions = SpeakingConditions(),
    limit: Int = 40, recogniser: String = ""
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
  ) async throws -> CalibrationReport {
    let commands = try SentenceSample(grammar, limit: limit, seed: conditions.seed).sentences
    let lines =
      commands.map { OtherSpeech(.command, $0) }
      + grammar.otherSpeech(limit, near: commands, seed: conditions.seed)
    let heard = try await conditions.recognise(
      lines.map(\.text), with: try grammar.recogniser(recogniser), progress: progress)
    let trials = heard.map { trial, outcome in
      CalibrationReport.Trial(
        kind: lines[trial.line].kind, said: lines[trial.line].text, speaker: trial.voice,
        level: trial.scene, heard: outcome.text, confidence: outcome.confidence)
    }
    return CalibrationReport(
      grammar: grammar.commands.name, conditions: conditions, trials: trials)
  }
}
