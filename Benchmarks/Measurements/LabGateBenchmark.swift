import Foundation
import SpeechConcurrency
import SpeechKit
import SpeechTesting

/// Measures the lab's gate on real recognition: its false alarms for an unchanged recogniser with
/// different noise, and its detection of a worse one.
struct LabGateBenchmark: Benchmark {
  let name = "lab-gate"
  let summary = "false alarms of the lab's gate, and simulated regressions that it detects"

  private static let runs = 20

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let grammar = Self.grammar
    let configuration = PocketSphinxConfiguration(search: .grammar(grammar))
      .withStandardPronunciations
    let recogniser = RecognitionLab.Recogniser(
      "recogniser", of: PocketSphinxDecoder.self, configuration: configuration, hasGrammar: true)
    let baseline = try await Self.lab(seed: 1).run([recogniser])
    var rows: [BenchmarkRow] = []
    for hiss in [nil, -42.0] as [Double?] {
      let heard = hiss.map {
        RecognitionLab.Recogniser(
          "recogniser", of: FaultyDecoder<PocketSphinxDecoder>.self,
          configuration: .init(inner: configuration, hiss: $0))
      }
      var comparisons: [LabComparison] = []
      for run in 0..<Self.runs {
        let report = try await Self.lab(seed: UInt64(2 + run)).run([heard ?? recogniser])
        comparisons += report.compared(with: baseline)
        Terminal.note("  \(comparisons.last?.text ?? "")")
      }
      let title = hiss.map { "hiss at \(Int($0)) dB" } ?? "unchanged"
      rows += [
        BenchmarkRow(
          benchmark: name, what: "\(title): change of the word error rate in points", unit: .count,
          ours: Samples(comparisons.compactMap { $0.change.map { $0.difference * 100 } })),
        BenchmarkRow(
          benchmark: name, what: "\(title): alarms in \(Self.runs) runs", unit: .count,
          ours: Samples(Double(comparisons.count(where: \.isWorse))),
          goal: hiss == nil ? .value(0) : nil,
          note: "\(baseline.recognisers[0].trials.count) utterances, different noise in each run"),
      ]
    }
    return rows
  }

  private static let rooms = ["kitchen", "bedroom", "bathroom", "garage", "office"]
  private static let things = ["light", "heater", "window", "fan", "radio"]
  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
  ]
  private static let grammar = """
    #JSGF V1.0; grammar home; public <order> = set the ( \(rooms.joined(separator: " | ")) ) \
    ( \(things.joined(separator: " | ")) ) to ( \(numbers.joined(separator: " | ")) );
    """

  /// Four variations of the voice Kal. They are recognised so well that the hiss costs three words
  /// in a hundred.
  private static let speakers = [(0.5, 1.0), (0.4, 0.94), (0.55, 1.06), (0.5, 1.1)].map {
    Speaker(.flite, voice: "kal", rate: Float($0.0), pitch: Float($0.1))
  }

  private static func lab(seed: UInt64) -> RecognitionLab {
    var random = SeededNumbers(seed: 5, part: "gate")
    let lines = (0..<40).map { _ in
      "set the \(rooms[random.next(5)]) \(things[random.next(5)]) to \(numbers[random.next(9)])"
    }
    return RecognitionLab(
      lines: lines, speakers: speakers,
      scenes: [AcousticScene(backgrounds: [Background(.noise(.pink), decibels: 10)])],
      seed: seed)
  }
}
