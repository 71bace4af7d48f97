import Foundation
import SpeechKit
import TestSupport

/// Measures live recognition with Whisper in real time: partial results, the constancy of stable
/// text, and the delay of the final text.
struct WhisperLiveBenchmark: Benchmark {
  let name = "whisper-live"
  let summary = "partial results, stable text and the final text of Whisper tiny.en while listening"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    _ = try PeerServer.python()
    let speech = try corpus.entries(of: "read").prefix(16).map {
      try AudioFile.read($0.url).resampled(to: .recognition)
    }
    var rows: [BenchmarkRow] = []
    for seconds in [2, 5, 10, 30] {
      Terminal.note("  \(seconds) s")
      let recordings = try utterances(of: seconds, from: speech, in: bench.folder)
      let list = try recordings.writeList(in: bench.folder).path
      let heard = Worker.heard(in: try bench.worker([WhisperWorker.listen, list]).run().output)
      let numbers = recordings.compactMap { recording in
        heard[recording.name]?.split(separator: " ").compactMap { Double($0) }
      }
      guard numbers.count == recordings.count, numbers.allSatisfy({ $0.count >= 3 }) else {
        throw ChildProcessError("The worker returned no result.")
      }
      func row(
        _ what: String, _ unit: BenchmarkRow.Unit, _ values: [Double], _ goal: BenchmarkRow.Goal?
      ) -> BenchmarkRow {
        BenchmarkRow(
          benchmark: name, what: "\(seconds) s: \(what)", unit: unit, ours: Samples(values),
          goal: goal)
      }
      let gaps = numbers.flatMap { $0.dropFirst(3) }
      guard let longest = gaps.max() else {
        throw ChildProcessError("No recording of \(seconds) s had two partial results.")
      }
      rows += [
        row(
          "final text after the end", .milliseconds, numbers.map { $0[1] },
          seconds > 10 ? nil : .value(300)),
        row("time between partial results", .seconds, gaps, .value(0.5)),
        row("longest time between partial results", .seconds, [longest], nil),
        row("partial results", .count, numbers.map { $0[2] }, nil),
        row("changes of stable text", .count, numbers.map { $0[0] }, .value(0)),
      ]
    }
    return rows
  }

  /// Returns utterances of that length, which begin where recordings begin.
  private func utterances(
    of seconds: Int, from speech: [PCMBuffer], in folder: URL
  ) throws -> [Recording] {
    let length = seconds * AudioFormat.recognition.sampleRate
    return try (0..<4).map { number in
      var sound = PCMBuffer(format: .recognition)
      for recording in speech[(number * 4)...] where sound.frameCount < length {
        sound.append(recording)
      }
      return try Recording(
        sound.slice(0..<min(length, sound.frameCount)), named: "live-\(seconds)-\(number)",
        in: folder)
    }
  }
}
