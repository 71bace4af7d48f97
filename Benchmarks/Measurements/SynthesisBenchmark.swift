#if Espeak
import Foundation
import SpeechKit

/// Measures the processor time of synthesising a text to a file.
struct SynthesisBenchmark: Benchmark {
  let name = "synthesis"
  let summary = "processor time of synthesising a text to a WAV file, beside the espeak-ng program"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let long = try Self.pair(ReadingMatter.longText(chapters: 20), on: bench)
    let short = try Self.pair("Hello.", on: bench)
    var rows = [
      try bench.processorTime(
        name, "a long text", ours: long.ours, peer: long.peer, named: "espeak-ng",
        goal: .ratio(1.05)),
      try bench.processorTime(
        name, "one word, with start and end of the process", ours: short.ours, peer: short.peer,
        named: "espeak-ng"),
    ]
    let made = try AudioFile.read(long.file).duration / .seconds(60)
    rows[0].note = "\(Int(made.rounded())) minutes of speech"
    return rows
  }

  /// Returns the processes of SpeechKit and the peer for a text, and the file that the first one
  /// writes.
  static func pair(
    _ text: String, on bench: Workbench
  ) throws -> (ours: ChildProcess, peer: ChildProcess, file: URL) {
    let name = UUID().uuidString
    let input = bench.folder.appendingPathComponent("\(name).txt")
    try text.write(to: input, atomically: true, encoding: .utf8)
    let file = bench.folder.appendingPathComponent("\(name)-ours.wav")
    let other = bench.folder.appendingPathComponent("\(name)-peer.wav")
    return (
      bench.worker([Worker.synthesize, input.path, file.path]),
      bench.peer("espeak-ng", ["-v", "en-us", "-f", input.path, "-w", other.path]), file
    )
  }
}
#endif
