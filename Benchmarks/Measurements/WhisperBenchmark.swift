import Foundation
import SpeechKit
import TestSupport

/// Measures Whisper's smallest English model beside faster-whisper with the same model, and beside
/// PocketSphinx.
struct WhisperBenchmark: Benchmark {
  let name = "whisper"
  let summary = "word errors, processor time and memory of Whisper tiny.en, beside faster-whisper"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    let python = try PeerServer.python()
    let material = SpokenMaterial(folder: bench.folder, seconds: .infinity)
    var rows: [BenchmarkRow] = []
    for task in ["read", "spontaneous"] {
      Terminal.note("  \(task)")
      let recordings = try material.recordings(of: corpus.entries(of: task))
      let list = try recordings.writeList(in: bench.folder).path
      let usages = try bench.interleaved([
        bench.worker([WhisperWorker.transcribe, list]),
        bench.peer(python, [PeerServer.script("faster_whisper_batch.py"), list]),
        bench.worker([Worker.transcribe, "accurate", list]),
      ])
      rows += compared(task, recordings, ours: usages[0], "faster-whisper", usages[1], goals: true)
      rows += compared(task, recordings, ours: usages[0], "PocketSphinx", usages[2], goals: false)
    }
    return rows
  }

  private func compared(
    _ task: String, _ recordings: [Recording], ours: [ProcessUsage], _ peerName: String,
    _ peer: [ProcessUsage], goals: Bool
  ) -> [BenchmarkRow] {
    func row(
      _ what: String, _ unit: BenchmarkRow.Unit, _ goal: BenchmarkRow.Goal?,
      _ value: (ProcessUsage) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: "\(task), beside \(peerName): \(what)", unit: unit,
        ours: Samples(ours.map(value)), peerName: peerName, peer: Samples(peer.map(value)),
        goal: goals ? goal : nil)
    }
    return [
      row("word errors", .percent, .ratio(1.05)) { errors(of: recordings, in: $0.output) },
      row("processor time of a second", .milliseconds, .ratio(1.3)) {
        1_000 * $0.processorTime / recordings.seconds
      },
      row("peak of memory", .megabytes, .value(250)) { $0.memory.peak },
    ]
  }

  private func errors(of recordings: [Recording], in output: String) -> Double {
    let heard = Worker.heard(in: output)
    var errors = WordErrors()
    for recording in recordings {
      errors.add(said: recording.transcript ?? "", heard: heard[recording.name] ?? "")
    }
    return errors.rate
  }
}
