import Foundation
import SpeechKit

/// Measures word errors on a corpus, beside the C library's own program at its best settings.
struct AccuracyBenchmark: Benchmark {
  let name = "accuracy"
  let summary = "word errors on the corpus, beside the C library's own program at its best"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    return try dictation(corpus, bench) + grammars(corpus, bench)
  }

  /// Measures the general model on read speech, commands and digits.
  private func dictation(_ corpus: Corpus, _ bench: Workbench) throws -> [BenchmarkRow] {
    let tasks = ["read", "commands", "digits"]
    let material = SpokenMaterial(folder: bench.folder, seconds: .infinity)
    let recordings = try tasks.map { task in
      try material.recordings(
        of: corpus.entries(of: task).filter { !$0.transcript.hasPrefix(CommandErrors.mark) })
    }
    let all = recordings.flatMap { $0 }
    let list = try all.writeList(in: bench.folder).path
    let peer = PeerDecoder.heard(
      in: try PeerDecoder(bench).process(all, settings: PeerDecoder.bestSettings).run().output)
    var rows: [BenchmarkRow] = []
    for preset in PocketSphinxPreset.allCases {
      Terminal.note("  \(preset)")
      let worker = bench.worker([Worker.transcribe, preset.rawValue, list])
      let heard = Worker.heard(in: try worker.run().output)
      for (task, recordings) in zip(tasks, recordings) {
        // The fast preset may cost a point. The general model is not meant for commands and digits.
        let bound = preset == .fast ? 1.0 : 0
        rows.append(
          row(
            "\(task), \(preset)", recordings, heard, peer,
            goal: task == "read" ? .difference(bound) : nil))
      }
    }
    return rows
  }

  /// Measures closed grammars on recordings of their sentences.
  private func grammars(_ corpus: Corpus, _ bench: Workbench) throws -> [BenchmarkRow] {
    let material = SpokenMaterial(folder: bench.folder, seconds: .infinity)
    return try corpus.grammars().map { grammar, entries in
      let recordings = try material.recordings(of: entries)
      let list = try recordings.writeList(in: bench.folder).path
      let worker = bench.worker([Worker.transcribe, grammar.path, list])
      let program = try PeerDecoder(bench).process(
        recordings, settings: PeerDecoder.grammarSettings, grammar: grammar)
      return row(
        "grammar \(grammar.deletingPathExtension().lastPathComponent)", recordings,
        Worker.heard(in: try worker.run().output), PeerDecoder.heard(in: try program.run().output),
        goal: .difference(0))
    }
  }

  private func row(
    _ what: String, _ recordings: [Recording], _ ours: [String: String],
    _ peer: [String: String], goal: BenchmarkRow.Goal?
  ) -> BenchmarkRow {
    let isCommands = recordings.contains { $0.transcript?.hasPrefix(CommandErrors.mark) ?? false }
    func rate(_ heard: [String: String]) -> (rate: Double, count: Int) {
      var words = WordErrors()
      var commands = CommandErrors()
      for recording in recordings {
        let said = recording.transcript ?? ""
        let text = heard[recording.name] ?? ""
        if isCommands {
          commands.add(said: said, heard: text)
        } else {
          words.add(said: said, heard: text)
        }
      }
      return isCommands ? (commands.rate, commands.commands) : (words.rate, words.words)
    }
    let (our, count) = rate(ours)
    return BenchmarkRow(
      benchmark: name, what: what, unit: .percent, ours: Samples(our), peerName: PeerDecoder.name,
      peer: Samples(rate(peer).rate), goal: goal,
      note: isCommands ? "commands with an error, of \(count)" : "word errors, of \(count) words")
  }
}
