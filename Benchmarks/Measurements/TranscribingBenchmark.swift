import Foundation
import SpeechKit

/// Measures the processor time of transcribing files.
struct TranscribingBenchmark: Benchmark {
  let name = "transcribe"
  let summary = "processor time of transcribing files, beside the C library's own program"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let recordings = try await bench.speechFiles()
    let list = try recordings.writeList(in: bench.folder).path
    let nothing = try Recording(
      .silence(.milliseconds(200), format: .recognition), named: "nothing", in: bench.folder)
    let emptyList = try [nothing].writeList(in: bench.folder).path
    let peer = try PeerDecoder(bench)
    var rows = [
      try bench.processorTime(
        name, "start and end of the process",
        ours: bench.worker([Worker.transcribe, "balanced", emptyList]),
        peer: try peer.process([nothing], settings: PeerDecoder.settings(of: .balanced)),
        named: PeerDecoder.name)
    ]
    for preset in PocketSphinxPreset.allCases {
      let settings = PeerDecoder.settings(of: preset)
      rows.append(
        try bench.processorTime(
          name, "\(preset)", ours: bench.worker([Worker.transcribe, preset.rawValue, list]),
          peer: try peer.process(recordings, settings: settings), named: PeerDecoder.name,
          goal: .ratio(1.03),
          note: preset == .fast
            ? "\(Int(recordings.seconds)) s of audio in \(recordings.count) files" : nil))
    }
    rows.append(
      try bench.processorTime(
        name, "fast, peer at its best settings",
        ours: bench.worker([Worker.transcribe, PocketSphinxPreset.fast.rawValue, list]),
        peer: try peer.process(recordings, settings: PeerDecoder.bestSettings),
        named: PeerDecoder.name, goal: .ratio(0.5)))
    rows.append(
      try bench.processorTime(
        name, "balanced, whole files", ours: bench.worker([Worker.decode, "balanced", list]),
        peer: try peer.process(recordings, settings: PeerDecoder.settings(of: .balanced)),
        named: PeerDecoder.name, goal: .ratio(1.03),
        note: "without segmentation, so that silence is decoded too"))
    rows.append(try sideBySide(list, on: bench))
    return rows
  }

  /// Measures the time of files that are transcribed at once, beside the same files one by one.
  private func sideBySide(_ list: String, on bench: Workbench) throws -> BenchmarkRow {
    let jobs = min(ProcessInfo.processInfo.activeProcessorCount, 2)
    let usages = try bench.interleaved(
      [jobs, 1].map { bench.worker([Worker.transcribe, "balanced", list, "\($0)"]) })
    return BenchmarkRow(
      benchmark: name, what: "time with \(jobs) files at once", unit: .seconds,
      ours: Samples(usages[0].map(\.wallTime)), peerName: "one by one",
      peer: Samples(usages[1].map(\.wallTime)), goal: .ratio(1 / 1.8),
      note: "time that passes, on processors that do nothing else")
  }
}
