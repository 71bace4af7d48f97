import Foundation
import SpeechKit
import SpeechTesting

/// Measures the real time of a minute of conversation in virtual time, with and without decoding.
struct ScenarioBenchmark: Benchmark {
  let name = "scenario"
  let summary = "a minute of conversation in virtual time"

  private static func scenario(_ recogniser: String) throws -> Scenario {
    let lines = (0..<8).map { _ in "Ben says \"hello there\" 3 s after reply ended\n" }.joined()
    return try Scenario(
      """
      recogniser \(recogniser)
      reply "You said hello to me."
      person Ben flite:kal
      Ben says "hello there" at 500 ms
      \(lines)expect said "You said hello to me."
      """)
  }

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let runs = max(5, bench.options.runs)
    return [
      BenchmarkRow(
        benchmark: name, what: "a minute of conversation, without decoding", unit: .seconds,
        ours: try await Self.minutes("exact", runs: runs), goal: .value(1),
        note:
          "virtual world, both voices, microphone, record and verdict; every word is recognised"),
      BenchmarkRow(
        benchmark: name, what: "a minute of conversation, dictation by PocketSphinx",
        unit: .seconds,
        ours: try await Self.minutes("pocketsphinx", runs: runs)),
    ]
  }

  private static func minutes(_ recogniser: String, runs: Int) async throws -> Samples {
    let scenario = try scenario(recogniser)
    // The first run includes loading.
    _ = try await scenario.run()
    var seconds: [Double] = []
    for _ in 0..<runs {
      let outcome = try await scenario.run()
      seconds.append(outcome.seconds / (outcome.duration / 60))
    }
    return Samples(seconds)
  }
}
