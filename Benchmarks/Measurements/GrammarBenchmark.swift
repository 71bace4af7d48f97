import Foundation
import SpeechKit

/// Measures speed and memory with a closed grammar.
struct GrammarBenchmark: Benchmark {
  let name = "grammar"
  let summary = "speed and memory with a closed grammar, beside the C library's own program"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let (grammar, recordings) = try await material(on: bench)
    let list = try recordings.writeList(in: bench.folder).path
    let usages = try bench.interleaved([
      bench.worker([Worker.transcribe, grammar.path, list]),
      try PeerDecoder(bench).process(
        recordings, settings: PeerDecoder.grammarSettings, grammar: grammar),
    ])
    func row(
      _ what: String, _ unit: BenchmarkRow.Unit, _ goal: BenchmarkRow.Goal? = nil,
      _ value: (ProcessUsage) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: what, unit: unit, ours: Samples(usages[0].map(value)),
        peerName: PeerDecoder.name, peer: Samples(usages[1].map(value)), goal: goal)
    }
    let seconds = recordings.seconds
    var rows = [
      row("processor time", .seconds, .ratio(1.03)) { $0.processorTime },
      row("speed", .timesRealTime) { seconds / $0.processorTime },
      row("own memory", .megabytes, .difference(20)) { $0.memory.peakOwn },
      row("resident memory", .megabytes, .value(57)) { $0.memory.peak },
    ]
    rows[0].note = "\(Int(seconds)) s of audio in \(recordings.count) files"
    rows[2].note = "without pages of files, such as code and models, which processes share"
    return rows
  }

  /// Returns the coffee orders of the corpus, or synthesised orders.
  private func material(on bench: Workbench) async throws -> (URL, [Recording]) {
    let material = SpokenMaterial(folder: bench.folder, seconds: bench.options.audioSeconds * 4)
    let closed = try bench.corpus()?.grammars().max { $0.entries.count < $1.entries.count }
    if let closed { return (closed.grammar, try material.recordings(of: closed.entries)) }
    let grammar = bench.folder.appendingPathComponent("orders.gram")
    try Self.grammar.write(to: grammar, atomically: true, encoding: .utf8)
    let voice = FliteEngine()
    var recordings: [Recording] = []
    for size in ["small", "medium", "large"] {
      for drink in ["coffee", "tea", "house coffee", "espresso"] {
        let text = "i would like a \(size) \(drink) with some milk please"
        let sound = try await voice.render(
          voice.makeRequest(text: text, voiceId: "slt"), configuration: .default)
        recordings.append(
          try Recording(
            sound, named: "order\(recordings.count)", in: bench.folder, transcript: text))
      }
    }
    return (grammar, recordings)
  }

  private static let grammar = """
    #JSGF V1.0;
    grammar orders;
    public <order> = [ i would like | i want ] [ a ] [ <size> ] <drink> [ with <extra> ] [ please ];
    <size> = small | medium | large;
    <drink> = coffee | house coffee | iced coffee | tea | espresso | mocha;
    <extra> = [ some | a lot of ] ( milk | cream | sugar );
    """
}
