import Foundation
import SpeechKit

/// Measures the memory that SpeechKit needs in addition to that of the C libraries.
struct WrapperMemoryBenchmark: Benchmark {
  let name = "memory"
  let summary = "peak memory, beside the C libraries' own programs on the same work"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let recordings = try await bench.speechFiles()
    let list = try recordings.writeList(in: bench.folder).path
    let decoding = try bench.interleaved([
      bench.worker([Worker.transcribe, "balanced", list]),
      try PeerDecoder(bench).process(
        recordings, settings: PeerDecoder.settings(of: .balanced)),
    ])
    var all = rows("recognition", PeerDecoder.name, decoding)
    #if Espeak
    let speech = try SynthesisBenchmark.pair(ReadingMatter.longText(chapters: 20), on: bench)
    all += rows("synthesis", "espeak-ng", try bench.interleaved([speech.ours, speech.peer]))
    #endif
    let idle = try bench.interleaved([bench.worker([Worker.rest])])
    all.append(
      BenchmarkRow(
        benchmark: name, what: "an idle program", unit: .megabytes,
        ours: Samples(idle[0].map(\.memory.peak)),
        note: "linked with SpeechKit; nearly all of it is code of Swift and Foundation"))
    return all
  }

  private func rows(
    _ what: String, _ peer: String, _ usages: [[ProcessUsage]]
  ) -> [BenchmarkRow] {
    func row(_ part: String, _ note: String, _ value: (ProcessUsage) -> Double) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: "\(what): \(part)", unit: .megabytes,
        ours: Samples(usages[0].map(value)), peerName: peer, peer: Samples(usages[1].map(value)),
        goal: .difference(20), note: note)
    }
    return [
      row("own memory", "without pages of files, such as code and models, which processes share") {
        $0.memory.peakOwn
      },
      row("resident memory", "with pages of files") { $0.memory.peak },
    ]
  }
}
