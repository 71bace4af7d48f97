import ConformanceTesting
import Foundation
import SpeechKit

/// Measures how well sentences of a grammar are distinguished from other speech, and the cost of
/// it.
///
/// False accepts are the share of other speech whose confidence reaches the threshold, false
/// rejects the share of the grammar's sentences below it.
struct RejectionBenchmark: Benchmark {
  let name = "rejection"
  let summary =
    "sentences of a grammar distinguished from other speech by confidence, and the cost of it"

  private static let thresholds: [Float] = [0.2, 0.4, 0.5, 0.58, 0.7, 0.8]

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let far = try await RejectionMaterial.spoken(in: bench.folder, nearMisses: false)
    let near = try await RejectionMaterial.spoken(in: bench.folder, nearMisses: true)
    let corpus = try bench.corpus()
    let recordings = try corpus.map(RejectionMaterial.recordings) ?? []
    let all = Decoders()
    var rows = try rows("recordings", recordings, all)
    rows += try self.rows("Flite's voices", far, all)
    rows += try self.rows("Flite's voices, one wrong word", near, all)

    let plain = recordings.isEmpty ? far : recordings.filter { $0.sound.duration < .seconds(6) }
    let talkers = far.filter { !$0.belongs }.map(\.sound)
    for decibels in [20.0, 10, 5] {
      for color in [RejectionMaterial.Noise.Color.white, .pink, .babble] {
        let noise = RejectionMaterial.Noise(color: color, decibels: decibels)
        let noisy = plain.map { utterance in
          var utterance = utterance
          utterance.sound = noise.added(to: utterance.sound, babble: talkers)
          return utterance
        }
        rows += try self.rows("\(color.rawValue) noise at \(Int(decibels)) dB", noisy, all)
      }
    }
    rows += try cost(of: recordings.filter(\.belongs) + far.filter(\.belongs), all, bench)
    return rows
  }

  /// The decoders of the grammars.
  private final class Decoders {
    private var decoders: [URL: PocketSphinxDecoder] = [:]

    func decoder(_ grammar: URL) throws -> PocketSphinxDecoder {
      if let decoder = decoders[grammar] { return decoder }
      let decoder = try PocketSphinxDecoder(
        configuration: PocketSphinxConfiguration(search: .grammarFile(grammar)),
        locale: Locale(identifier: "en-US"))
      decoders[grammar] = decoder
      return decoder
    }
  }

  private func rows(
    _ what: String, _ utterances: [RejectionMaterial.Utterance], _ all: Decoders
  ) throws -> [BenchmarkRow] {
    guard !utterances.isEmpty else { return [] }
    Terminal.note("  \(what)")
    var inside: [Float] = []
    var outside: [Float] = []
    for utterance in utterances {
      let decoded = try all.decoder(utterance.grammar).decode(utterance.sound)
      let confidence = decoded?.confidence ?? 0
      if utterance.belongs { inside.append(confidence) } else { outside.append(confidence) }
    }
    return Self.thresholds.flatMap { threshold in
      let isRecommended = PocketSphinxAcceptance.recommended == .atLeast(threshold)
      return [
        row(
          "\(what): false accepts at \(threshold)", outside.count { $0 >= threshold },
          of: outside.count, goal: isRecommended && what == "recordings" ? .value(2) : nil),
        row(
          "\(what): false rejects at \(threshold)", inside.count { $0 < threshold },
          of: inside.count, goal: isRecommended && what == "recordings" ? .value(5) : nil),
      ]
    }
  }

  private func row(
    _ what: String, _ count: Int, of total: Int, goal: BenchmarkRow.Goal?
  ) -> BenchmarkRow {
    let share = Double(count) / Double(max(total, 1))
    // The Wilson interval.
    let (n, z) = (Double(max(total, 1)), 1.96)
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
    let interval = [middle - reach, middle + reach].map {
      String(format: "%.1f", 100 * min(max($0, 0), 1))
    }
    return BenchmarkRow(
      benchmark: name, what: what, unit: .percent, ours: Samples([100 * share]), goal: goal,
      note: "\(count) of \(total); 95 %: \(interval[0]) to \(interval[1])")
  }

  /// Measures the processor time of utterances with and without a score, alternately.
  private func cost(
    of utterances: [RejectionMaterial.Utterance], _ all: Decoders, _ bench: Workbench
  ) throws -> [BenchmarkRow] {
    Terminal.note("  cost")
    var times: [[Double]] = [[], []]
    for round in 0...bench.options.runs {
      for (index, isWeighing) in [true, false].enumerated() {
        let start = ProcessorClock.now
        for utterance in utterances {
          let decoder = try all.decoder(utterance.grammar)
          decoder.isWeighing = isWeighing
          try decoder.startUtterance()
          _ = try decoder.process(utterance.sound)
          _ = try decoder.finishUtterance()
        }
        if round > 0 { times[index].append(ProcessorClock.now - start) }
      }
    }
    let seconds = utterances.reduce(0) { $0 + $1.sound.duration / .seconds(1) }
    let perUtterance = zip(times[0], times[1]).map { ($0 - $1) * 1000 / Double(utterances.count) }
    return [
      BenchmarkRow(
        benchmark: name, what: "processor time", unit: .seconds, ours: Samples(times[0]),
        peerName: "without a score", peer: Samples(times[1]), goal: .ratio(1.6),
        note: "\(Int(seconds)) s of audio in \(utterances.count) utterances"),
      BenchmarkRow(
        benchmark: name, what: "additional time for an utterance", unit: .milliseconds,
        ours: Samples(perUtterance), goal: .value(30), note: "average"),
    ]
  }
}
