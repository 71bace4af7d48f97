import Foundation
import SpeechKit
import SpeechTesting
import TestSupport

/// Measures how well echo is removed from the microphone, and interruptions are recognised.
struct EchoBenchmark: Benchmark {
  let name = "echo"
  let summary =
    "echo removed and interruptions recognised, with open loudspeakers in simulated rooms"

  /// A simulated room.
  private struct Room {
    var title: String
    var acoustics: EchoingRoom.Acoustics
    /// True if an echo canceller is expected to work there.
    var isFair = true
  }

  /// The levels are those of the echo. Replies are played at -16 dB, and the user's voice is at
  /// `EchoMaterial.voiceLevel`.
  private static let rooms: [Room] = [
    Room(title: "echo as loud as the voice, T60 0.1 s", acoustics: .init(level: -12)),
    Room(
      title: "echo as loud as the voice, T60 0.3 s",
      acoustics: .init(level: -12, reverberation: .milliseconds(300))),
    Room(
      title: "echo as loud as the voice, T60 0.6 s",
      acoustics: .init(level: -12, reverberation: .milliseconds(600))),
    Room(
      title: "echo 12 dB softer, T60 0.3 s",
      acoustics: .init(level: -24, reverberation: .milliseconds(300))),
    Room(
      title: "echo 12 dB louder, T60 0.3 s",
      acoustics: .init(level: 0, reverberation: .milliseconds(300)), isFair: false),
  ]

  /// The number of replies in a scene, of which every fourth is interrupted.
  private static let replies = 32

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    let material = try await EchoMaterial()
    let listener = try await listener(material, on: bench)
    var rows: [BenchmarkRow] = []
    for room in Self.rooms {
      Terminal.note("  \(room.title)")
      let scene = material.scene(
        replies: Self.replies, interruptedEvery: 4, acoustics: room.acoustics)
      rows += try self.rows(
        room.title, scene, try await scene.run(), listener, hasGoals: room.isFair)
    }
    Terminal.note("  200 uninterrupted replies")
    rows.append(try await silence(material))
    Terminal.note("  clock drift")
    rows.append(try await drift(material))
    if bench.hasSoundDevice {
      for room in Self.rooms where room.title.contains("0.3 s") {
        Terminal.note("  PulseAudio's canceller: \(room.title), in real time")
        rows += try await beside(room, material, listener, on: bench)
      }
    }
    return rows
  }

  // MARK: Rows

  private func rows(
    _ title: String, _ scene: EchoScene, _ outcome: EchoScene.Outcome, _ listener: Listener,
    hasGoals: Bool, peer: EchoScene.Outcome? = nil
  ) throws -> [BenchmarkRow] {
    func row(
      _ what: String, _ unit: BenchmarkRow.Unit, _ goal: Double?, note: String? = nil,
      _ value: (EchoScene.Outcome) throws -> Double
    ) rethrows -> BenchmarkRow {
      BenchmarkRow(
        benchmark: name, what: "\(title): \(what)", unit: unit,
        ours: Samples(try value(outcome)),
        peerName: peer.map { _ in "module-echo-cancel" },
        peer: try peer.map { Samples(try value($0)) },
        goal: hasGoals ? goal.map { .value($0) } : nil, note: note)
    }
    let raw = outcome.judged(outcome.heard)
    let understoodRaw = try listener.share(of: scene, outcome, in: outcome.heard)
    return [
      row("change of the echo", .decibels, -30) {
        -$0.echoRemoved(after: 2)
      },
      row("change of the voice over it", .decibels, nil) { $0.change(of: scene) },
      row("speech found in replies", .count, 0, note: "without canceller \(raw.false)") {
        Double($0.judged($0.cleaned).false)
      },
      row(
        "interruptions missed", .percent, 10,
        note: "without canceller \(Self.missed(raw.caught)) %"
      ) { Self.missed($0.judged($0.cleaned).caught) },
      row("interruptions detected after", .milliseconds, nil) {
        Samples($0.judged($0.cleaned).caught.compactMap { $0 }).median * 1_000
      },
      try row(
        "interruptions not recognised", .percent, nil,
        note: "without canceller \(Int(understoodRaw)) %"
      ) { try listener.share(of: scene, $0, in: $0.cleaned) },
    ]
  }

  private static func missed(_ caught: [Double?]) -> Double {
    100 * Double(caught.count { $0 == nil }) / Double(max(1, caught.count))
  }

  /// Counts how often a loop would interrupt itself.
  private func silence(_ material: EchoMaterial) async throws -> BenchmarkRow {
    let scene = material.scene(
      replies: 200, interruptedEvery: 0, acoustics: .init(reverberation: .milliseconds(300)))
    let outcome = try await scene.run()
    return BenchmarkRow(
      benchmark: name, what: "speech found in 200 uninterrupted replies", unit: .count,
      ours: Samples(Double(outcome.judged(outcome.cleaned).false)), goal: .value(0),
      note: "echo as loud as the voice, T60 0.3 s; without canceller "
        + "\(outcome.judged(outcome.heard).false)")
  }

  private func drift(_ material: EchoMaterial) async throws -> BenchmarkRow {
    var left: [Double] = []
    for drift in [-100.0, 100] {
      var scene = material.scene(replies: 20, interruptedEvery: 0, acoustics: .init())
      scene.drift = drift
      left.append(-(try await scene.run().echoRemoved(after: 2)))
    }
    return BenchmarkRow(
      benchmark: name, what: "change of the echo, clocks ±100 ppm apart", unit: .decibels,
      ours: Samples(left), goal: .value(-30))
  }

  /// Compares the result with that of PulseAudio's canceller on the same audio.
  private func beside(
    _ room: Room, _ material: EchoMaterial, _ listener: Listener, on bench: Workbench
  ) async throws -> [BenchmarkRow] {
    let scene = material.scene(replies: 12, interruptedEvery: 3, acoustics: room.acoustics)
    let outcome = try await scene.run()
    var peer = outcome
    peer.cleaned = try PulseEchoCanceller(bench).cleaned(scene, outcome)
    return try rows(
      "\(room.title), 12 replies", scene, outcome, listener, hasGoals: false, peer: peer)
  }

  // MARK: Recognition

  /// The recogniser of the interruptions.
  private struct Listener {
    let decoder: PocketSphinxDecoder

    /// Returns the percentage of interruptions that are not recognised.
    func share(
      of scene: EchoScene, _ outcome: EchoScene.Outcome, in sound: PCMBuffer
    ) throws -> Double {
      var wrong = 0
      for (index, interruption) in scene.interruptions.enumerated() {
        let heard = try decoder.decode(outcome.stretch(index, of: sound))?.text
        if heard != interruption.text { wrong += 1 }
      }
      return 100 * Double(wrong) / Double(max(1, scene.interruptions.count))
    }
  }

  private func listener(_ material: EchoMaterial, on bench: Workbench) async throws -> Listener {
    let grammar = bench.folder.appendingPathComponent("interruptions.gram")
    try EchoMaterial.grammar.write(to: grammar, atomically: true, encoding: .utf8)
    return Listener(
      decoder: try PocketSphinxDecoder(
        configuration: PocketSphinxConfiguration(search: .grammarFile(grammar)),
        locale: Locale(identifier: "en-US")))
  }
}
