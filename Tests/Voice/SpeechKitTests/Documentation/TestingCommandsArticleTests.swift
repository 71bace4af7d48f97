import SpeechTesting
import Testing

/// Runs what the article about testing commands shows.
struct TestingCommandsArticleTests {
  private let home = CommandGrammar("home") {
    Intent("light") { "turn on the kitchen light" }
    Intent("door") { "open the garage door" }
  }

  @Test func `the confusions of a grammar are measured`() async throws {
    let grammar = try TestedGrammar(home)
    let conditions = SpeakingConditions(
      speakers: Speaker.cast(4, seed: 1),
      levels: [.clean, NoiseLevel(.babble, decibels: 20)])
    let report = try await ConfusionStudy(grammar, conditions: conditions).run()
    #expect(report.levels[0].understood.share >= 0.9, "\(report.text)")
  }

  @Test func `a threshold is calibrated`() async throws {
    let grammar = try TestedGrammar(home)
    let conditions = SpeakingConditions(speakers: Speaker.cast(1, seed: 1), levels: [.clean])
    let report = try await CalibrationStudy(grammar, conditions: conditions, limit: 10).run()
    let threshold = report.threshold(falseAccepts: 0.05)
    #expect(threshold != nil)
  }
}
