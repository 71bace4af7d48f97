import SpeechKit
import SpeechTesting

/// Measures misses and false alarms of key phrases on recordings of people, by default and as
/// calibrated with synthetic voices, beside the library's own default threshold.
struct WakeWordBenchmark: Benchmark {
  let name = "wake-words"
  let summary = "misses and false alarms of key phrases"

  private static let locale = Locale(identifier: "en-US")

  private struct Count {
    var said = 0
    var missed = 0
    var alarms = 0
    var hours = 0.0

    var misses: Double { 100 * Double(missed) / Double(max(said, 1)) }
    var alarmsPerHour: Double { Double(alarms) / max(hours, 1e-9) }
  }

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    let words = Set(corpus.entries(of: "keyword").map(\.transcript)).sorted()
    var rows: [BenchmarkRow] = []
    for word in words {
      Terminal.note("  \(word)")
      // The library's default threshold.
      let library = try await count(KeyPhrase(word, threshold: 1), in: corpus)
      let unchecked = try await count(KeyPhrase(word, minimumConfidence: 0), in: corpus)
      let standard = try await count(KeyPhrase(word), in: corpus)
      let tuned = try await KeyPhraseStudy(KeyPhrase(word)).run().tuned(falseAlarmsPerHour: 1)
      let kinds = [
        ("without the second check", unchecked), ("default", standard),
        (
          "calibrated to one false alarm per hour",
          try await count(tuned ?? KeyPhrase(word), in: corpus)
        ),
      ]
      for (kind, ours) in kinds {
        rows.append(
          BenchmarkRow(
            benchmark: name, what: "\(word), \(kind): missed", unit: .percent,
            ours: Samples([ours.misses]), peerName: "the library's threshold",
            peer: Samples([library.misses]), note: "of \(ours.said) recordings"))
        rows.append(
          BenchmarkRow(
            benchmark: name, what: "\(word), \(kind): false alarms per hour", unit: .count,
            ours: Samples([ours.alarmsPerHour]), peerName: "the library's threshold",
            peer: Samples([library.alarmsPerHour]),
            note: "\(ours.alarms) in \(Int(ours.hours * 60)) minutes of speech"))
      }
    }
    return rows
  }

  /// Recognises each recording as if live. All speech other than the phrase counts for false
  /// alarms.
  private func count(_ phrase: KeyPhrase, in corpus: Corpus) async throws -> Count {
    let decoder = try PocketSphinxDecoder(
      configuration: PocketSphinxConfiguration(search: .keyPhrases([phrase])), locale: Self.locale)
    var count = Count()
    for entry in corpus.entries {
      let sound = try AudioFile.read(entry.url, as: .recognition)
      let heard = try hear(sound, decoder)
      if entry.task == "keyword", entry.transcript == phrase.text {
        count.said += 1
        if heard == 0 { count.missed += 1 }
      } else if !" \(entry.transcript) ".contains(" \(phrase.text) ") {
        count.alarms += heard
        count.hours += sound.duration / .seconds(3600)
      }
    }
    return count
  }

  /// Returns the number of detections.
  private func hear(_ sound: PCMBuffer, _ decoder: PocketSphinxDecoder) throws -> Int {
    var heard = 0
    try decoder.startUtterance()
    for start in stride(from: 0, to: sound.frameCount, by: 1_600) {
      guard
        try decoder.process(sound.slice(start..<min(start + 1_600, sound.frameCount))).isComplete
      else { continue }
      heard += try decoder.finishUtterance()?.words.count ?? 0
      try decoder.startUtterance()
    }
    return heard + (try decoder.finishUtterance()?.words.count ?? 0)
  }
}
