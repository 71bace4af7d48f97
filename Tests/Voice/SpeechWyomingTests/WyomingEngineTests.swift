import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

/// Real engines: faster-whisper with a model of Whisper, and Piper with a voice.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
@DecodingQueue
struct WyomingEngineTests {
  private func withEngine<Result>(
    _ kind: String, body: (String) async throws -> Result
  ) async throws -> Result {
    try await Peer.with("wyoming_engine.py", [kind]) { try await body("127.0.0.1:\($0.port)") }
  }

  @Test func `what one engine says another hears`() async throws {
    let audio = try await withEngine("voice") { engine in
      try await WyomingVoice().render(
        WyomingVoice().makeRequest(text: WyomingFixture.sentence, voiceId: "en_US-joe-medium"),
        configuration: WyomingVoiceConfiguration(engine: engine))
    }
    #expect(audio.format.sampleRate == 22_050)
    try await withEngine("recogniser") { engine in
      let speech = try audio.resampled(to: .recognition)
      let heard = try await WyomingFixture.live(speech, in: WyomingFixture.session(engine))
      // Piper speaks a little differently each time, at times without a pause for a full stop.
      #expect(Self.words(heard) == Self.words(WyomingFixture.sentence))
    }
  }

  private static func words(_ text: String?) -> String {
    (text ?? "").lowercased().filter { $0.isLetter || $0 == " " }
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
