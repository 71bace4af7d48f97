import Foundation
import SpeechKit
import TestSupport

/// Measures commands and free speech in one stream: orders for a grammar, everything else for
/// Whisper.
struct CascadeBenchmark: Benchmark {
  let name = "cascade"
  let summary = "orders by a grammar and read speech by Whisper, mixed"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    _ = try PeerServer.python()
    let material = SpokenMaterial(folder: bench.folder, seconds: .infinity)
    guard
      let (grammar, entries) = corpus.grammars().first(where: {
        $0.grammar.lastPathComponent == "coffee.gram"
      })
    else { throw SkippedBenchmark("the corpus has no orders of coffee") }
    let orders = try material.recordings(of: entries)
    let reading = try material.recordings(
      of: corpus.entries(of: "read") + corpus.entries(of: "spontaneous"))
    let list = try (orders + reading).writeList(in: bench.folder).path
    let both = Worker.heard(
      in: try bench.worker([WhisperWorker.cascade, grammar.path, list]).run().output)
    let alone = Worker.heard(
      in: try bench.worker([Worker.decode, grammar.path, list]).run().output)
    let readingList = try reading.writeList(in: bench.folder).path
    let whisper = Worker.heard(
      in: try bench.worker([WhisperWorker.transcribe, readingList]).run().output)
    // A sentence of the grammar in place of what was read, or no sentence of it for an order.
    let matcher = try CommandMatcher(CommandGrammar(try JSGFGrammar(contentsOf: grammar)))
    func utterances(_ recording: Recording) -> [String] {
      (both[recording.name] ?? "").components(separatedBy: WhisperWorker.separator)
    }
    let strayed =
      orders.count { utterances($0).contains { matcher.match($0) == nil } }
      + reading.count { utterances($0).contains { matcher.match($0) != nil } }
    return [
      BenchmarkRow(
        benchmark: name, what: "orders with an error", unit: .percent,
        ours: Samples(commandErrors(orders, both)), peerName: "the grammar alone",
        peer: Samples(commandErrors(orders, alone)), goal: .difference(0)),
      BenchmarkRow(
        benchmark: name, what: "word errors of free speech", unit: .percent,
        ours: Samples(wordErrors(reading, both)), peerName: "Whisper alone",
        peer: Samples(wordErrors(reading, whisper)), goal: .difference(0)),
      BenchmarkRow(
        benchmark: name, what: "utterances that went to the wrong recogniser", unit: .percent,
        ours: Samples(100 * Double(strayed) / Double(orders.count + reading.count)),
        goal: .value(2), note: "\(strayed) of \(orders.count + reading.count)"),
    ]
  }

  private func commandErrors(_ orders: [Recording], _ heard: [String: String]) -> Double {
    var errors = CommandErrors()
    for order in orders {
      errors.add(said: order.transcript ?? "", heard: heard[order.name] ?? "")
    }
    return errors.rate
  }

  private func wordErrors(_ reading: [Recording], _ heard: [String: String]) -> Double {
    var errors = WordErrors()
    for recording in reading {
      errors.add(said: recording.transcript ?? "", heard: heard[recording.name] ?? "")
    }
    return errors.rate
  }
}
