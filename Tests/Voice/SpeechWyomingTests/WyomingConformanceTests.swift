import ConformanceTesting
import Foundation
import SpeechTesting
import TestSupport
import Testing

@testable import SpeechWyoming

/// Alone in its process, because a law counts what the process holds.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WyomingConformanceTests {
  @Test func `the decoder keeps the laws of decoders`() async throws {
    try await WyomingFixture.withFake("listens") { engine in
      try await DecoderConformance<WyomingDecoder>(
        configuration: WyomingConfiguration(engine: engine),
        broken: WyomingConfiguration(engine: "127.0.0.1:1"),
        speech: WyomingFixture.audio(1), words: "good morning"
      ).run()
    }
  }

  @Test func `a decoder of wake words keeps them as well`() async throws {
    try await WyomingFixture.withFake("honest") { engine in
      try await DecoderConformance<WyomingDecoder>(
        configuration: WyomingConfiguration(engine: engine, keyPhrases: ["okay nabu"]),
        broken: WyomingConfiguration(engine: "nowhere", keyPhrases: ["okay nabu"]),
        speech: WyomingFixture.audio(1), words: "okay nabu"
      ).run()
    }
  }

  @Test(arguments: ["a server", "a program"])
  func `decoders that are started, used or broken off leave nothing behind`(
    kind: String
  ) async throws {
    func cycle(_ engine: String, _ count: Int) async throws {
      let audio = WyomingFixture.audio(1, frames: 1_600)
      for number in 0..<count {
        let session = WyomingFixture.session(engine)
        try await session.hear(.start)
        try await session.hear(.audio(audio))
        if number % 2 == 0 {
          let heard = try await session.hear(.finish).utterance?.text
          #expect(heard == WyomingFixture.answer(to: audio))
        }
      }
    }
    func check(_ engine: String, cycles: Int) async throws {
      try await cycle(engine, 10)
      let before = ProcessHoldings.now()
      try await cycle(engine, cycles)
      let after = await onOwnThread { ProcessHoldings.settled(since: before) }
      #expect(after.isNoMore(than: before), "\(before), \(after)")
      #expect(after.hasGrown(since: before, atMostKibibytes: 20 << 10), "\(before), \(after)")
    }
    if kind == "a server" {
      try await WyomingFixture.withFake("honest") {
        try await check($0, cycles: Endurance.count(full: 1_000, short: 40))
      }
    } else {
      let engine = try WyomingFixture.command("wyoming_fake.py", ["honest", "--stdio"])
      try await check(engine, cycles: Endurance.count(full: 200, short: 10))
    }
  }

  @Test func `the voice keeps the laws of voices`() async throws {
    try await WyomingFixture.withFake("honest") { engine in
      try await VoiceEngineConformance(
        WyomingVoice(), configuration: WyomingVoiceConfiguration(engine: engine)
      ).run()
    }
  }
}
