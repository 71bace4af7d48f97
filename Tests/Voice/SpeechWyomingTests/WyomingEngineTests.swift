import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

/// A real engine: faster-whisper with a model of Whisper.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct WyomingEngineTests {
  private func withEngine<Result>(
    _ kind: String, body: (String) async throws -> Result
  ) async throws -> Result {
    try await Peer.with("wyoming_engine.py", [kind]) { try await body("127.0.0.1:\($0.port)") }
  }

  @Test func `a sentence is heard`() async throws {
    try await withEngine("recogniser") { engine in
      let speech = try await WyomingFixture.spoken(WyomingFixture.sentence)
      let heard = try await WyomingFixture.live(speech, in: WyomingFixture.session(engine))
      #expect(heard == WyomingFixture.sentence)
    }
  }

  @Test func `a recogniser is started as a program`() async throws {
    let session = WyomingFixture.session(
      try WyomingFixture.command("wyoming_engine.py", ["recogniser", "--stdio"]))
    let speech = try await WyomingFixture.spoken(WyomingFixture.sentence)
    for _ in 0..<2 {
      let heard = try await WyomingFixture.live(speech, in: session)
      #expect(heard == WyomingFixture.sentence)
    }
  }
}
