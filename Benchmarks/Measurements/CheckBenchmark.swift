import Foundation
import SpeechChecking
import SpeechKit
import SpeechWhisper

/// Measures the check of words against the audio: of words that recognisers invent, of words that
/// were spoken, and of names.
struct CheckBenchmark: Benchmark {
  let name = "check"
  let summary = "words of recognisers checked against the audio: invented ones, true ones, names"

  /// The number of pieces of each kind of audio without speech.
  private static let pieces = 12

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var rows = [try inventedSentences()]
    // The tests' peers include a library and a model.
    guard let python = try? PeerServer.python() else { return rows }
    var configuration = try WhisperWorker.configuration()
    configuration.reportsPartials = false
    let decoder = try WhisperDecoder(configuration: configuration, locale: Self.english)
    Terminal.note("  Whisper")
    rows += try await invented("Whisper", decoder, beside: python, on: bench)
    if let corpus = try bench.corpus() { rows += try await lost("Whisper", decoder, corpus) }
    return rows + (try await names("Whisper", decoder))
  }

  private static let english = Locale(identifier: "en-US")

  private func checker(_ vocabulary: [String] = []) throws -> WordChecker {
    try WordChecker(
      WordCheck(
        vocabulary: vocabulary, pronunciations: SpeechCatalog.current.pronunciations,
        userDictionary: .off),
      locale: Self.english)
  }

  /// What neural recognisers write for audio without speech.
  private static let sentences = [
    "you", "Thank you.", "Thanks for watching!", "Okay.", "I'm sorry.", "Bye.", "Oh", "So", "What?",
    "Thank you very much.", "I'm going to go to the bathroom.", "Please subscribe to my channel.",
    "I don't know what you're talking about.", "And I'll see you in the next video.", "Yeah.",
  ]

  /// The share of such sentences that the check leaves.
  private func inventedSentences() throws -> BenchmarkRow {
    let checker = try checker()
    var (raw, checked) = (0, 0)
    for (index, kind) in NonSpeech.allCases.enumerated() {
      for number in 0..<Self.pieces {
        let text = Self.sentences[(index + number) % Self.sentences.count]
        raw += text.split(separator: " ").count
        let left = try checker.check(DecodedUtterance(text: text), in: kind.piece(number))
        checked += left?.words.count ?? 0
      }
    }
    return BenchmarkRow(
      benchmark: name, what: "words of invented sentences that are left", unit: .percent,
      ours: Samples(100 * Double(checked) / Double(raw)), goal: .value(5),
      note: "\(checked) of \(raw)")
  }

  /// The words in an hour of audio without speech: those of a recogniser, and those of
  /// faster-whisper, which has no defence of its own, before and after the check.
  private func invented(
    _ recogniser: String, _ decoder: some SpeechDecoder, beside python: String, on bench: Workbench
  ) async throws -> [BenchmarkRow] {
    let peerName = "faster-whisper"
    let recordings = try NonSpeech.allCases.flatMap { kind in
      try (0..<Self.pieces).map { number in
        try Recording(kind.piece(number), named: "\(kind.rawValue) \(number)", in: bench.folder)
      }
    }
    let list = try recordings.writeList(in: bench.folder).path
    let script = PeerServer.script("faster_whisper_batch.py")
    let peers = Worker.heard(in: try bench.peer(python, [script, list]).run().output)
    let checker = try checker()
    var (own, raw, checked) = (0, 0, 0)
    for recording in recordings {
      let audio = try AudioFile.read(recording.url, as: .recognition)
      own += try await decoder.hear(.utterance(audio)).utterance?.words.count ?? 0
      let text = peers[recording.name] ?? ""
      raw += text.split(separator: " ").count
      guard !text.isEmpty else { continue }
      checked += try checker.check(DecodedUtterance(text: text), in: audio)?.words.count ?? 0
    }
    let hours = recordings.seconds / 3_600
    let audio = "in \(Int(recordings.seconds)) s of silence, noises and music"
    return [
      BenchmarkRow(
        benchmark: name, what: "\(recogniser), unchecked: words invented in an hour", unit: .count,
        ours: Samples(Double(own) / hours), peerName: peerName,
        peer: Samples(Double(raw) / hours), note: "\(own) and \(raw) words \(audio)"),
      BenchmarkRow(
        benchmark: name, what: "\(peerName), checked: words invented in an hour", unit: .count,
        ours: Samples(Double(checked) / hours), peerName: "unchecked",
        peer: Samples(Double(raw) / hours), goal: .ratio(0.05),
        note: "\(checked) and \(raw) words \(audio)"),
    ]
  }

  /// The share of rightly recognised words of the corpus that are struck out, and the processor
  /// time.
  private func lost(
    _ recogniser: String, _ decoder: some SpeechDecoder, _ corpus: Corpus
  ) async throws -> [BenchmarkRow] {
    let checker = try checker()
    let entries = corpus.entries(of: "read") + corpus.entries(of: "spontaneous")
    var (right, lost, seconds, used) = (0, 0, 0.0, 0.0)
    for entry in entries {
      let audio = try AudioFile.read(entry.url, as: .recognition)
      guard let heard = try await decoder.hear(.utterance(audio)).utterance else { continue }
      let start = rusage.ofThisProcess.processorTime
      let checked = try checker.check(heard, in: audio)
      used += rusage.ofThisProcess.processorTime - start
      seconds += audio.duration / .seconds(1)
      var left = Self.counts(checked?.text ?? "")
      var said = Self.counts(entry.transcript)
      // A word that the transcript contains as often was recognised rightly.
      for (word, count) in Self.counts(heard.text) {
        let known = min(count, said.removeValue(forKey: word) ?? 0)
        right += known
        lost += max(0, known - (left.removeValue(forKey: word) ?? 0))
      }
    }
    return [
      BenchmarkRow(
        benchmark: name, what: "\(recogniser): true words lost", unit: .percent,
        ours: Samples(100 * Double(lost) / Double(max(right, 1))), goal: .value(0.5),
        note: "\(lost) of \(right)"),
      BenchmarkRow(
        benchmark: name, what: "\(recogniser): processor time of a second of audio",
        unit: .seconds, ours: Samples(used / max(seconds, 1)), goal: .value(0.1)),
    ]
  }

  private static func counts(_ text: String) -> [String: Int] {
    WordErrors.words(of: text).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The recall of names, and the share of words that wrongly became names.
  private func names(
    _ recogniser: String, _ decoder: some SpeechDecoder
  ) async throws -> [BenchmarkRow] {
    let checker = try checker(SpokenNames.names)
    let known = Set(SpokenNames.names.map { $0.lowercased() })
    var (raw, checked, wrong, words) = (0, 0, 0, 0)
    for utterance in try await SpokenNames.utterances() {
      guard let heard = try await decoder.hear(.utterance(utterance.audio)).utterance else {
        continue
      }
      let name = utterance.name.lowercased()
      let before = WordErrors.words(of: heard.text)
      let after = WordErrors.words(
        of: try checker.check(heard, in: utterance.audio)?.text ?? "")
      if before.contains(name) { raw += 1 }
      if after.contains(name) { checked += 1 }
      wrong += after.count { known.contains($0) && $0 != name && !before.contains($0) }
      words += before.count
    }
    let total = Double(SpokenNames.names.count) / 100
    return [
      BenchmarkRow(
        benchmark: name, what: "\(recogniser): names missed", unit: .percent,
        ours: Samples(100 - Double(checked) / total), peerName: "unchecked",
        peer: Samples(100 - Double(raw) / total), goal: .difference(-30),
        note: "\(checked) and \(raw) of \(SpokenNames.names.count) names recognised"),
      BenchmarkRow(
        benchmark: name, what: "\(recogniser): words that became wrong names", unit: .percent,
        ours: Samples(100 * Double(wrong) / Double(max(words, 1))), goal: .value(1),
        note: "\(wrong) of \(words) words"),
    ]
  }
}
