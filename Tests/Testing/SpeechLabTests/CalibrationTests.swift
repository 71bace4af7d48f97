import BrowserSupport
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechLab

struct CalibrationTests {
  private static let grammar = Result {
    try TestedGrammar(
      CommandGrammar(
        template: """
          intent light: turn (on | off) the (kitchen | bathroom) light
          intent time: what time is it
          intent dial: dial {which: number 0 to 99}
          """))
  }

  private func trial(
    _ kind: RejectionCurve.Kind, _ confidence: Float, heard: String = "x", level: Int = 0
  ) -> CalibrationReport.Trial {
    .init(
      kind: kind, said: "y", speaker: 0, level: level, heard: heard, confidence: confidence)
  }

  @Test func `a threshold leads to false accepts and rejects`() throws {
    let conditions = SpeakingConditions(
      speakers: [Speaker(.flite, voice: "slt")], levels: [.clean, NoiseLevel(.hum, decibels: 3)])
    let report = CalibrationReport(
      grammar: "g", conditions: conditions,
      trials: [
        trial(.command, 0.9), trial(.command, 0.4, level: 1), trial(.command, 0.99, heard: ""),
        trial(.ordinary, 0.3), trial(.ordinary, 0.6, level: 1), trial(.otherCommand, 1, heard: ""),
        trial(.otherCommand, 0.05), trial(.nearMiss, 0.8),
      ])
    let middle = report.rejection().outcome(of: 0.5)
    #expect(middle.falseAccepts == Proportion(1, of: 4))
    #expect(middle.falseRejects == Proportion(2, of: 3))
    #expect(middle.acceptedNearMisses == Proportion(1, of: 1))
    #expect(report.rejection(level: 0).outcome(of: 0.5).falseAccepts == Proportion(0, of: 3))
    #expect(report.threshold(falseAccepts: 0.25)?.value == 0.31)
    #expect(report.threshold(falseAccepts: 0)?.value == 0.61)
    #expect(report.threshold(falseAccepts: 1)?.value == 0)
    let thresholds = report.rejection().thresholds
    for (low, high) in zip(thresholds, thresholds.dropFirst()) {
      #expect(low.falseAccepts.count >= high.falseAccepts.count)
      #expect(low.falseRejects.count <= high.falseRejects.count)
    }
    #expect(try PageReader(report.html(falseAccepts: 0.02)).problem == nil)
    #expect(report.text(falseAccepts: 0).contains("a threshold of 0.61"))
  }

  @Test func `near misses are reproducible and not sentences of the grammar`() throws {
    let grammar = try Self.grammar.get()
    let commands = try SentenceSample(grammar, limit: 20, seed: 1).sentences
    let near = grammar.nearMisses(50, of: commands, seed: 4)
    #expect(near.count == 50)
    #expect(Set(near).count == 50)
    for line in near { #expect(grammar.matcher.match(line) == nil) }
    #expect(grammar.nearMisses(50, of: commands, seed: 4) == near)
    #expect(grammar.nearMisses(50, of: commands, seed: 5) != near)
    #expect(grammar.nearMisses(50, of: [], seed: 4).isEmpty)
    // Most changes give another sentence of this grammar.
    let any = try TestedGrammar(CommandGrammar(template: "intent a: (a | b)+"))
    #expect(any.nearMisses(5, of: ["a b"], seed: 1).allSatisfy { $0.count > 3 })
  }

  @Test func `a sample contains every word, and only a few numbers`() throws {
    let grammar = try Self.grammar.get()
    let all = try SentenceSample(grammar, limit: 1_000, seed: 1)
    #expect(!all.isComplete)
    #expect(all.sentences.count { $0.hasPrefix("dial") } == 3)
    #expect(all.sentences.count == 8)
    let few = try SentenceSample(grammar, limit: 5, seed: 1)
    #expect(few.sentences.count == 5)
    #expect(try SentenceSample(grammar, limit: 5, seed: 1) == few)
    #expect(few.sentences.contains("what time is it"))
    let endless = try TestedGrammar(CommandGrammar(template: "intent a: (one | two | three)+"))
    let some = try SentenceSample(endless, limit: 10, seed: 1)
    #expect(some.sentences.count == 10 && !some.isComplete)
    #expect(Set(some.sentences).count == 10)
    let small = try TestedGrammar(CommandGrammar(template: "intent a: x | y z"))
    #expect(try SentenceSample(small, limit: 9, seed: 1).sentences == ["x", "y z"])
    #expect(try SentenceSample(small, limit: 9, seed: 1).isComplete)
  }

  @Test func `other speech has a lower confidence than the grammar's sentences`() async throws {
    let study = CalibrationStudy(
      try Self.grammar.get(),
      conditions: SpeakingConditions(speakers: Speaker.cast(2, seed: 1), levels: [.clean]), limit: 6
    )
    let report = try await study.run()
    for kind in RejectionCurve.Kind.allCases {
      #expect(report.trials.count { $0.kind == kind } == 12, "\(kind)")
    }
    func mean(_ kind: RejectionCurve.Kind) -> Float {
      let all = report.trials.filter { $0.kind == kind }
      return all.reduce(0) { $0 + $1.confidence } / Float(all.count)
    }
    #expect(mean(.command) > mean(.ordinary) + 0.3)
    #expect(mean(.command) > mean(.otherCommand) + 0.3)
    let best = try #require(report.threshold(falseAccepts: 0.1))
    #expect(best.falseRejects.share < 0.3, "\(best)")
  }
}
