import Testing

@testable import SpeechLab

struct KeyPhraseStudyTests {
  private func trial(
    _ kind: KeyPhraseReport.Kind, _ confidence: Float?, level: Int = 0
  ) -> KeyPhraseReport.Trial {
    .init(kind: kind, said: "x", speaker: 0, level: level, seconds: 180, confidence: confidence)
  }

  @Test func `a confidence leads to misses and false alarms`() throws {
    let conditions = SpeakingConditions(
      speakers: [Speaker(.flite, voice: "slt")], levels: [.clean, NoiseLevel(.hum, decibels: 3)])
    let report = KeyPhraseReport(
      phrase: "computer", conditions: conditions,
      trials: [
        trial(.phrase, 0.9), trial(.phrase, 0.5, level: 1), trial(.phrase, nil),
        trial(.alike, 0.95), trial(.alike, nil),
      ] + [trial(.ordinary, 0.7), trial(.otherCommand, 0.55, level: 1)]
        + (0..<18).map { _ in trial(.ordinary, nil) })
    #expect(report.hours == 1)
    let point = report.point(0.6)
    #expect(point.misses == Proportion(2, of: 3))
    #expect(point.falseAlarms == 1 && point.falseAlarmsPerHour == 1)
    #expect(point.alikeHeard == Proportion(1, of: 2))
    #expect(report.point(0.6, level: 1).falseAlarms == 0)
    #expect(report.tuned(falseAlarmsPerHour: 2)?.minimumConfidence == 0)
    #expect(report.tuned(falseAlarmsPerHour: 1)?.minimumConfidence == 0.56)
    #expect(report.tuned(falseAlarmsPerHour: 0)?.minimumConfidence == 0.71)
    #expect(report.tuned(falseAlarmsPerHour: -1) == nil)
    #expect(report.text(falseAlarmsPerHour: 1).contains("computer //0.56/"))
    #expect(report.text(falseAlarmsPerHour: -1).contains("Nothing keeps"))
  }

  @Test func `equal seeds give equal reports`() async throws {
    let study = KeyPhraseStudy(
      "computer",
      conditions: SpeakingConditions(
        speakers: Speaker.cast(1, seed: 3), levels: [NoiseLevel(.pink, decibels: 20)], seed: 3),
      limit: 3)
    let report = try await study.run()
    #expect(try await study.run() == report)
    #expect(report.trials.contains { $0.kind == .alike })
    #expect(report.point(0).misses.count < report.point(0).misses.total)
  }
}
