import Foundation
import Glibc
import SpeechKit

/// Measures the cost of detecting speech.
struct SegmenterBenchmark: Benchmark {
  let name = "segmenter"
  let summary = "the processor time of the segmenter for a second of audio"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let speech = try await bench.speechFiles().map { try AudioFile.read($0.url) }
    let silence = PCMBuffer.silence(.seconds(60), format: .recognition)
    return [
      BenchmarkRow(
        benchmark: name, what: "silence", unit: .microseconds,
        ours: try await bench.repeated(bench.options.runs) { Self.cost([silence]) },
        note: "for each second of audio; 10,000 µs would be a hundredth of a core"),
      BenchmarkRow(
        benchmark: name, what: "speech", unit: .microseconds,
        ours: try await bench.repeated(bench.options.runs) { Self.cost(speech) }),
    ]
  }

  private static func cost(_ sounds: [PCMBuffer]) -> Double {
    var seconds = 0.0
    let start = rusage.ofThisProcess.processorTime
    for sound in sounds {
      var segmenter = SpeechSegmenter(format: sound.format)
      for first in stride(from: 0, to: sound.frameCount, by: 320) {
        let block = sound.samples[first..<min(first + 320, sound.frameCount)]
        _ = segmenter.process(PCMBuffer(samples: block, format: sound.format))
      }
      _ = segmenter.finish()
      seconds += sound.duration / .seconds(1)
    }
    return (rusage.ofThisProcess.processorTime - start) / seconds * 1e6
  }
}
