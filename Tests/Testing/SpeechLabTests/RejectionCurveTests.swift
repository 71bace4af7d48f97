import Foundation
import SpeechConcurrency
import SpeechLab
import TestSupport
import Testing

struct RejectionCurveTests {
  private func curve(
    _ commands: [Float?], _ others: [Float?], near: [Float?] = []
  ) -> RejectionCurve {
    func trials(_ kind: RejectionCurve.Kind, _ all: [Float?]) -> [RejectionCurve.Trial] {
      all.enumerated().map { index, confidence in
        .init(
          kind: kind, said: "\(kind) \(index)", heard: confidence == nil ? "" : "x",
          confidence: confidence ?? 0)
      }
    }
    return RejectionCurve(
      trials: trials(.command, commands) + trials(.ordinary, others) + trials(.nearMiss, near))
  }

  @Test(
    arguments: [
      // Commands, others, equal error rate, area.
      ([0.9, 0.8], [0.7, 0.1], 0, 1), ([0.1, 0.2], [0.7, 0.8], 1, 0),
      ([0.9, 0.4], [0.6, 0.1], 0.5, 0.75), ([0.5, 0.5], [0.5], 0.5, 0.5),
      // Three of four commands are above all of the others; the last is below one of two.
      ([0.9, 0.8, 0.7, 0.2], [0.6, 0.1], 0.25, 0.875),
      // Empty results rank lowest, and equal among themselves.
      ([0.9, nil], [nil, nil], 1.0 / 3, 0.75), ([0.9, nil], [0.3, nil], 0.5, 0.625),
    ] as [([Float?], [Float?], Double, Double)])
  func `the equal error rate and the area match their definitions`(
    commands: [Float?], others: [Float?], rate: Double, area: Double
  ) {
    let curve = curve(commands, others, near: [1, 1])
    #expect(abs(curve.equalErrorRate().value - rate) < 1e-9, "\(curve.equalErrorRate())")
    #expect(abs(curve.area().value - area) < 1e-9, "\(curve.area())")
    #expect(curve.outcome(of: 0).acceptedNearMisses == Proportion(2, of: 2))
  }

  @Test func `intervals contain the true value, also for repeated sentences`() {
    var random = SeededNumbers(seed: 2)
    // With 0.3 more, a command has the higher confidence in 1 - 0.7² / 2 of the cases.
    let truth = 1 - 0.7 * 0.7 / 2
    var held = 0
    let rounds = Endurance.count(full: 30, short: 10)
    for round in 0..<rounds {
      var trials: [RejectionCurve.Trial] = []
      for index in 0..<80 {
        let kind: RejectionCurve.Kind = index < 40 ? .command : .otherCommand
        let confidence = random.fraction() + (kind == .command ? 0.3 : 0)
        // Eight voices with hardly any difference.
        for _ in 0..<8 {
          trials.append(
            .init(
              kind: kind, said: "\(index)", heard: "x",
              confidence: Float(confidence + random.fraction() / 1_000)))
        }
      }
      let curve = RejectionCurve(trials: trials)
      if curve.area(seed: UInt64(round)).interval.contains(truth) { held += 1 }
    }
    #expect(Double(held) >= 0.86 * Double(rounds), "\(held) of \(rounds)")
  }

  @Test func `a curve is encoded with its derived values, and decoded from the trials`() throws {
    let curve = curve([0.9, 0.4], [0.6, 0.1])
    let data = try JSONEncoder().encode(curve)
    #expect(try JSONDecoder().decode(RejectionCurve.self, from: data) == curve)
    struct Row: Decodable {
      var equalErrorRate: Estimate
      var area: Estimate
      var thresholds: [RejectionCurve.Threshold]
    }
    let row = try JSONDecoder().decode(Row.self, from: data)
    #expect(row.equalErrorRate.value == 0.5 && row.area.value == 0.75)
    #expect(row.thresholds.count == 101)
    #expect(row.thresholds[50].falseAccepts == Proportion(1, of: 2))
    #expect(self.curve([], [0.5]).equalErrorRate().count == 0)
  }
}
