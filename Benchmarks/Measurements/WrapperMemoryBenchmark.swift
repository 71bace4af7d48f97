import Foundation
import SpeechKit

/// The memory that we add to the C libraries' own.
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
    let speech = try SynthesisBenchmark.pair(ReadingMatter.longText(chapters: 20), on: bench)
    let speaking = try bench.interleaved([speech.ours, speech.peer])
    return [
      row("recognition", PeerDecoder.name, decoding), row("synthesis", "espeak-ng", speaking),
    ]
  }

  private func row(
    _ what: String, _ peer: String, _ usages: [[ProcessUsage]]
  ) -> BenchmarkRow {
    let own = usages.map { Samples($0.map(\.memory.peakOwn)).median }
    return BenchmarkRow(
      benchmark: name, what: what, unit: .megabytes,
      ours: Samples(usages[0].map(\.memory.peak)), peerName: peer,
      peer: Samples(usages[1].map(\.memory.peak)), goal: .difference(20),
      note: String(
        format: "without the pages of files, which other processes share: %.1f MB, peer %.1f MB",
        own[0], own[1]))
  }
}
