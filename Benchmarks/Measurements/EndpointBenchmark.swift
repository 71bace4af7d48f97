import Foundation
import SpeechConcurrency
import SpeechKit
import SpeechTesting

/// Measures the delay between the end of an utterance and its detection, and how often utterances
/// are cut off, beside the endpointer of PocketSphinx 5.
struct EndpointBenchmark: Benchmark {
  let name = "endpoint"
  let summary =
    "delay of the detected end of an utterance, and utterances that are cut off"

  /// A recording of one utterance with silence after it.
  private struct Utterance {
    var recording: Recording
    var sound: PCMBuffer
    /// The end of the utterance, in seconds.
    var end: Double
  }

  /// The results for all utterances.
  private struct Outcome {
    /// The delays of the decision for utterances that were not cut off, in milliseconds.
    var delays: [Double] = []
    var cutOff = 0
    var missed = 0

    mutating func note(_ decisions: [Double], end: Double) {
      // A final breath may be cut off.
      if decisions.contains(where: { $0 < end - 0.1 }) {
        cutOff += 1
      } else if let decision = decisions.first {
        delays.append((decision - end) * 1_000)
      } else {
        missed += 1
      }
    }
  }

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let python = try PeerServer.python()
    var rows: [BenchmarkRow] = []
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("set SPEECHKIT_CORPUS to a folder of recordings")
    }
    for (title, tasks, silences) in [
      ("commands", ["commands", "digits"], [350, 450]),
      ("read speech", ["read", "spontaneous"], [450, 800]),
    ] {
      Terminal.note("  \(title)")
      let utterances = try self.utterances(
        of: tasks.flatMap { corpus.entries(of: $0) }, title, in: bench.folder)
      let peer = try peerOutcome(of: utterances, python, on: bench)
      for silence in silences {
        rows += compared(
          "\(title), \(silence) ms", ours(of: utterances, silence: .milliseconds(silence)), peer,
          of: utterances.count)
      }
    }
    Terminal.note("  commands, with their grammars")
    var (ours, all): (Outcome, [Utterance]) = (Outcome(), [])
    for (grammar, entries) in corpus.grammars() {
      let utterances = try self.utterances(
        of: entries, grammar.deletingPathExtension().lastPathComponent, in: bench.folder)
      for utterance in utterances {
        let decisions = try await Self.decisions(on: utterance.sound, grammar: grammar)
        ours.note(decisions, end: utterance.end)
      }
      all += utterances
    }
    rows += compared(
      "commands, with their grammars", ours, try peerOutcome(of: all, python, on: bench),
      of: all.count)
    return rows
  }

  private func compared(
    _ title: String, _ ours: Outcome, _ peer: Outcome, of count: Int
  ) -> [BenchmarkRow] {
    let others = "PocketSphinx 5, 300 ms"
    return [
      BenchmarkRow(
        benchmark: name, what: "\(title): median delay of the decision", unit: .milliseconds,
        ours: Samples(Samples(ours.delays).median), peerName: others,
        peer: Samples(Samples(peer.delays).median), goal: .difference(0),
        note: "without utterances that were cut off; ends missed, of \(count): SpeechKit "
          + "\(ours.missed), peer \(peer.missed)"),
      BenchmarkRow(
        benchmark: name, what: "\(title): utterances cut off", unit: .count,
        ours: Samples(Double(ours.cutOff)), peerName: others,
        peer: Samples(Double(peer.cutOff)), goal: .difference(0)),
    ]
  }

  // MARK: Ours

  private func ours(of utterances: [Utterance], silence: Duration) -> Outcome {
    var outcome = Outcome()
    for utterance in utterances {
      var configuration = SpeechSegmenterConfiguration()
      configuration.maximumSilence = silence
      configuration.minimumSilence = min(configuration.minimumSilence, silence)
      outcome.note(
        Self.decisions(on: utterance.sound, configuration), end: utterance.end)
    }
    return outcome
  }

  /// Returns the times of the segmenter's decisions in seconds, with blocks as long as the peer's.
  private static func decisions(
    on sound: PCMBuffer, _ configuration: SpeechSegmenterConfiguration
  ) -> [Double] {
    var segmenter = SpeechSegmenter(format: sound.format, configuration: configuration)
    var decisions: [Double] = []
    for first in stride(from: 0, to: sound.frameCount, by: 480) {
      let end = min(first + 480, sound.frameCount)
      let block = PCMBuffer(samples: sound.samples[first..<end], format: sound.format)
      for case .speechEnded in segmenter.process(block) {
        decisions.append(Double(end) / Double(sound.format.sampleRate))
      }
    }
    return decisions
  }

  /// Returns the times of the decisions with the end rule of a grammar, which knows where a
  /// sentence may end.
  private static func decisions(on sound: PCMBuffer, grammar: URL) async throws -> [Double] {
    let jsgf = try JSGFGrammar(contentsOf: grammar)
    let text = try String(contentsOf: grammar, encoding: .utf8)
    let matcher = try CommandMatcher(CommandGrammar(jsgf))
    return try await VirtualWorld.run { world in
      let provider = PocketSphinxRecognitionProvider(
        configuration: PocketSphinxConfiguration(search: .grammar(text)),
        input: ScriptedMicrophone(
          AudioScript().saying(sound, at: .zero), clock: world.clock))
      provider.endRule = .grammar(matcher)
      let heard = provider.hearing
      try await provider.startListening(locale: Locale(identifier: "en-US"))
      let start = world.clock.time
      var decisions: [Double] = []
      let following = Task {
        for await event in heard {
          if case .speechStopped = event {
            decisions.append((world.clock.time - start) / .seconds(1))
          }
        }
      }
      try await world.clock.sleep(until: start + sound.duration)
      provider.stopListening()
      await following.value
      return decisions
    }
  }

  // MARK: The peer

  private func peerOutcome(
    of utterances: [Utterance], _ python: String, on bench: Workbench
  ) throws -> Outcome {
    let list = try utterances.map(\.recording).writeList(in: bench.folder)
    let output = try bench.peer(python, [PeerServer.script("endpointer.py"), list.path]).run()
      .output
    var decisions: [String: [Double]] = [:]
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard let file = fields.first else { continue }
      decisions[String(file)] = fields.dropFirst().compactMap { Double($0) }
    }
    var outcome = Outcome()
    for utterance in utterances {
      guard let found = decisions[utterance.recording.url.path] else {
        throw ChildProcessError("The peer returned no result for \(utterance.recording.name).")
      }
      outcome.note(found, end: utterance.end)
    }
    return outcome
  }

  // MARK: Material

  private func utterances(
    of entries: [Corpus.Entry], _ title: String, in folder: URL
  ) throws -> [Utterance] {
    try entries.enumerated().compactMap { number, entry in
      let recorded = try AudioFile.read(entry.url).resampled(to: .recognition)
      guard let (end, floor) = Self.lastSound(of: recorded) else { return nil }
      // The noise of the room continues at its level.
      let sound = recorded.followed(byNoiseAt: max(floor, -80), for: .seconds(3))
      return Utterance(
        recording: try Recording(
          sound, named: "endpoint-\(title)-\(number)".replacing(" ", with: "-"), in: folder),
        sound: sound, end: end)
    }
  }

  /// Returns the end of the last part that is clearly louder than the recording's background, in
  /// seconds, and the level of the background.
  private static func lastSound(of sound: PCMBuffer) -> (end: Double, floor: Double)? {
    let length = sound.format.frames(in: .milliseconds(10))
    let levels = stride(from: 0, to: sound.frameCount - length, by: length).map {
      sound.slice($0..<$0 + length).level
    }
    guard let floor = levels.sorted().dropFirst(levels.count / 20).first, let peak = levels.max()
    else { return nil }
    let isLoud = levels.map { $0 > max(floor + 10, peak - 35) }
    // Clicks are excluded: half of the tenth of a second before the end has to be loud.
    let ends = isLoud.indices.filter { index in
      isLoud[index] && isLoud[max(0, index - 9)...index].count { $0 } >= 5
    }
    guard let last = ends.last else { return nil }
    return (Double((last + 1) * length) / Double(sound.format.sampleRate), floor)
  }
}

extension PCMBuffer {
  /// Returns the audio followed by noise at the level of its background.
  fileprivate func followed(byNoiseAt level: Double, for duration: Duration) -> PCMBuffer {
    var numbers = SeededNumbers(seed: 5, part: "room")
    // Uniform noise has a third of the power of a square wave with the same amplitude.
    let height = 32_768 * pow(10, level / 20) * 3.0.squareRoot()
    let noise = (0..<format.frames(in: duration)).map { _ in
      Int16(max(-32_768, min(32_767, Double.random(in: -1...1, using: &numbers) * height)))
    }
    return PCMBuffer(samples: samples + noise, format: format)
  }
}
