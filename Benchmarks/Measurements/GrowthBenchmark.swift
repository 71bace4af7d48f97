import ConformanceTesting
import Foundation
import SpeechKit

/// Measures how recognition and rejection hold as a grammar grows.
///
/// The same ten commands are spoken to each grammar, the same commands with a wrong word, and the
/// same other speech: sentences, and with a corpus its read speech, conversations and wake words.
struct GrowthBenchmark: Benchmark {
  let name = "growth"
  let summary = "recognition, rejection and processor time with grammars of 10 to 10,000 sentences"

  private static let sizes = [10, 100, 1_000, 10_000]
  private static let voices = ["slt", "rms", "awb", "kal16"]

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var material = Material()
    for voice in Self.voices {
      for (index, text) in GrowingGrammar(sentences: 10).sentences.enumerated() {
        let wrong =
          text.split(separator: " ").dropLast() + [
            Substring(RejectionMaterial.strangers[index])
          ]
        material.commands.append((text, try await Self.say(text, voice: voice)))
        material.wrong.append(try await Self.say(wrong.joined(separator: " "), voice: voice))
      }
      for text in ReadingMatter.sentences {
        material.others.append(try await Self.say(text, voice: voice))
      }
    }
    for entry in try bench.corpus()?.entries ?? []
    where ["read", "spontaneous", "keyword"].contains(entry.task) {
      let sound = try AudioFile.read(entry.url, as: .recognition)
      if sound.duration < .seconds(12) { material.others.append(sound) }
    }
    return try Self.sizes.flatMap { try rows($0, material, in: bench.folder) }
  }

  private struct Material {
    var commands: [(text: String, sound: PCMBuffer)] = []
    var wrong: [PCMBuffer] = []
    var others: [PCMBuffer] = []

    var seconds: Double {
      (commands.map(\.sound) + wrong + others).reduce(0) { $0 + $1.duration / .seconds(1) }
    }
  }

  private func rows(
    _ size: Int, _ material: Material, in folder: URL
  ) throws -> [BenchmarkRow] {
    let grammar = folder.appendingPathComponent("house\(size).gram")
    try GrowingGrammar(sentences: size).write(to: grammar)
    let title = "\(size.formatted(.number.locale(Locale(identifier: "en")))) sentences"
    Terminal.note("  \(title)")
    let start = ProcessorClock.now
    let decoder = try PocketSphinxDecoder(
      configuration: PocketSphinxConfiguration(
        search: .grammarFile(grammar), acceptance: .recommended),
      locale: Locale(identifier: "en-US"))
    let loaded = ProcessorClock.now
    var (misheard, rejected) = (0, 0)
    for command in material.commands {
      let heard = try decoder.decode(command.sound)
      if heard?.text != command.text { misheard += 1 }
      if heard?.isAccepted != true { rejected += 1 }
    }
    let isAccepted = { (sound: PCMBuffer) in try decoder.decode(sound)?.isAccepted == true }
    let (wrong, others) = try (
      material.wrong.count(where: isAccepted), material.others.count(where: isAccepted)
    )
    let perSecond = (ProcessorClock.now - loaded) * 1_000 / material.seconds
    func row(_ what: String, _ unit: BenchmarkRow.Unit, _ value: Double) -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: "\(title): \(what)", unit: unit, ours: Samples([value]))
    }
    func share(_ what: String, _ count: Int, of total: Int) -> BenchmarkRow {
      var row = row(what, .percent, 100 * Double(count) / Double(total))
      row.note = "\(count) of \(total)"
      return row
    }
    return [
      share("wrong sentences", misheard, of: material.commands.count),
      share("false rejects", rejected, of: material.commands.count),
      share("false accepts", others, of: material.others.count),
      share("false accepts with a wrong word", wrong, of: material.wrong.count),
      row("processor time for a second of audio", .milliseconds, perSecond),
      row("processor time to load", .milliseconds, (loaded - start) * 1_000),
    ]
  }

  private static func say(_ text: String, voice: String) async throws -> PCMBuffer {
    let engine = FliteEngine()
    return try await engine.render(
      engine.makeRequest(text: text, voiceId: voice), configuration: .default
    ).resampled(to: .recognition)
  }
}
