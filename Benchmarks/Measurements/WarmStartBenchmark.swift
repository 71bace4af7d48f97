import Foundation
import SpeechKit

/// Measures `startListening()` with a loaded decoder.
struct WarmStartBenchmark: Benchmark {
  let name = "warm-start"
  let summary = "startListening() with a warm provider"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var rows = [
      try await row("microphone in memory", ScriptedMicrophone(clock: RealClock()), bench)
    ]
    if bench.hasSoundDevice {
      rows.append(try await row("PortAudio, null sink", PortAudioMicrophone(), bench))
    }
    return rows
  }

  private func row(
    _ what: String, _ input: any AudioInput, _ bench: Workbench
  ) async throws -> BenchmarkRow {
    let locale = Locale(identifier: "en-US")
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(preset: .fast), input: input)
    try await provider.prepare(locale: locale)
    let times = try await bench.repeated(bench.options.runs * 5) {
      let start = ContinuousClock.now
      try await provider.startListening(locale: locale)
      let time = start.duration(to: .now)
      let results = provider.results
      try await Task.sleep(for: .milliseconds(50))
      provider.stopListening()
      for await _ in results {}
      return time / .milliseconds(1)
    }
    return BenchmarkRow(
      benchmark: name, what: what, unit: .milliseconds, ours: times, goal: .value(50))
  }
}
