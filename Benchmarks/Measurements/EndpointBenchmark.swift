import Foundation
import SpeechKit

/// How soon behind its last sound an utterance is known to be over, and how often it is cut off before that,
/// beside the endpointer of PocketSphinx 5.
struct EndpointBenchmark: Benchmark {
  let name = "endpoint"
  let summary =
    "from the last sound of an utterance to the decision that it is over, and cut-off ones"

  /// A recording of one utterance with silence behind it.
  private struct Utterance {
    var recording: Recording
    var sound: PCMBuffer
    /// Where its last sound is.
    var end: Double
  }

  /// What came of all utterances.
  private struct Outcome {
    /// From the last sound to the decision, of those that were not cut off.
    var delays: [Double] = []
    var cutOff = 0
    var missed = 0

    mutating func note(_ decisions: [Double], end: Double) {
      // A last breath does not make a cut.
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
    for (title, tasks, silences) in [
      ("commands", ["commands", "digits"], [250, 300, 350]),
      ("read speech", ["read", "spontaneous"], [300, 500, 800]),
    ] {
      Terminal.note("  \(title)")
      let utterances = try utterances(of: tasks, on: bench)
      let list = try utterances.map(\.recording).writeList(in: bench.folder)
      let peer = try peerOutcome(
        of: utterances,
        in: bench.peer(python, [PeerServer.script("endpointer.py"), list.path]).run().output)
      for silence in silences {
        rows += compared(
          "\(title), \(silence) ms", ours(of: utterances, silence: .milliseconds(silence)), peer,
          of: utterances.count)
      }
    }
    return rows
  }

  private func compared(
    _ title: String, _ ours: Outcome, _ peer: Outcome, of count: Int
  ) -> [BenchmarkRow] {
    let others = "PocketSphinx 5, 300 ms"
    return [
      BenchmarkRow(
        benchmark: name, what: "\(title): last sound to decision, median", unit: .milliseconds,
        ours: Samples(Samples(ours.delays).median), peerName: others,
        peer: Samples(Samples(peer.delays).median), goal: .difference(0),
        note: "without utterances that were cut off; of \(count), not found to end: ours "
          + "\(ours.missed), theirs \(peer.missed)"),
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

  /// When the segmenter tells that an utterance is over, in seconds, fed in blocks as long as the peer's.
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

  // MARK: The peer

  private func peerOutcome(of utterances: [Utterance], in output: String) throws -> Outcome {
    var decisions: [String: [Double]] = [:]
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t")
      guard let file = fields.first else { continue }
      decisions[String(file)] = fields.dropFirst().compactMap { Double($0) }
    }
    var outcome = Outcome()
    for utterance in utterances {
      guard let found = decisions[utterance.recording.url.path] else {
        throw ChildProcessError("The peer said nothing of \(utterance.recording.name).")
      }
      outcome.note(found, end: utterance.end)
    }
    return outcome
  }

  // MARK: Material

  private func utterances(of tasks: [String], on bench: Workbench) throws -> [Utterance] {
    guard let corpus = try bench.corpus() else {
      throw SkippedBenchmark("SPEECHKIT_CORPUS names no recordings")
    }
    return try tasks.flatMap { corpus.entries(of: $0) }.enumerated().compactMap { number, entry in
      let recorded = try AudioFile.read(entry.url).resampled(to: .recognition)
      guard let end = Self.lastSound(of: recorded) else { return nil }
      // The room goes on as it was: what is behind a recording is its own quietest stretch.
      let sound = recorded.followed(byItsSilence: .seconds(3))
      return Utterance(
        recording: try Recording(sound, named: "endpoint-\(tasks[0])-\(number)", in: bench.folder),
        sound: sound, end: end)
    }
  }

  /// Where the last stretch is that is clearly louder than the recording's background, in seconds.
  private static func lastSound(of sound: PCMBuffer) -> Double? {
    let length = sound.format.frames(in: .milliseconds(10))
    let levels = stride(from: 0, to: sound.frameCount - length, by: length).map {
      sound.slice($0..<$0 + length).level
    }
    guard let floor = levels.sorted().dropFirst(levels.count / 20).first,
      let peak = levels.max(),
      let last = levels.lastIndex(where: { $0 > max(floor + 10, peak - 35) })
    else { return nil }
    return Double((last + 1) * length) / Double(sound.format.sampleRate)
  }
}

extension PCMBuffer {
  /// This and then its quietest tenth of a second again and again, forwards and backwards so that nothing
  /// clicks.
  fileprivate func followed(byItsSilence duration: Duration) -> PCMBuffer {
    let length = min(format.frames(in: .milliseconds(100)), frameCount)
    let quietest =
      stride(from: 0, through: frameCount - length, by: max(1, length / 4))
      .map { slice($0..<$0 + length) }
      .min { $0.level < $1.level } ?? self
    var silence: [Int16] = []
    while silence.count < format.frames(in: duration) {
      silence += quietest.samples
      silence += quietest.samples.reversed()
    }
    return PCMBuffer(samples: samples + silence, format: format)
  }
}
