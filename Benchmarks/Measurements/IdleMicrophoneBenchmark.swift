import Foundation
import Glibc
import SpeechKit

/// Measures the processor time of listening to silence.
struct IdleMicrophoneBenchmark: Benchmark {
  let name = "idle-microphone"
  let summary = "the share of a core that listening to silence takes, with a real device"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard bench.hasSoundDevice else {
      throw SkippedBenchmark("there is no audio device; run it under Scripts/with-null-sink")
    }
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(), input: PortAudioMicrophone())
    try await provider.startListening(locale: Locale(identifier: "en-US"))
    let results = provider.results
    // Opening the device is not measured.
    try await Task.sleep(for: .seconds(1))
    let shares = try await bench.repeated(bench.options.runs) {
      let start = ContinuousClock.now
      let before = rusage.ofThisProcess.processorTime
      try await Task.sleep(for: .seconds(4))
      let used = rusage.ofThisProcess.processorTime - before
      return 100 * used / (start.duration(to: .now) / .seconds(1))
    }
    provider.stopListening()
    for await _ in results {}
    return [
      BenchmarkRow(
        benchmark: name, what: "PortAudio, null sink", unit: .percent, ours: shares,
        goal: .value(3), note: "of one core: device, segmenter and provider together")
    ]
  }
}
