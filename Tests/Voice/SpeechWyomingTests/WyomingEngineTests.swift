import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWyoming

/// Real engines: faster-whisper with a model of Whisper, Piper with a voice, and openWakeWord with
/// its models.
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

  @Test(arguments: ["a server", "a program"])
  func `a wake word is heard in the midst of speech, and not in other speech`(
    kind: String
  ) async throws {
    let (calls, speech) = try await withEngine("voice") { engine in
      func spoken(_ text: String) async throws -> PCMBuffer {
        try await WyomingVoice().render(
          WyomingVoice().makeRequest(text: text),
          configuration: WyomingVoiceConfiguration(engine: engine)
        ).resampled(to: .recognition)
      }
      return (
        [
          ("okay nabu", try await spoken("Okay Nabu.")),
          ("hey jarvis", try await spoken("Hey Jarvis, turn on the kitchen light.")),
        ], try await spoken(WyomingFixture.sentence)
      )
    }
    func check(_ engine: String) async throws {
      let session = RecognitionSession<WyomingDecoder>(
        configuration: WyomingConfiguration(
          engine: engine, keyPhrases: ["hey jarvis", "okay nabu"]),
        locale: WyomingFixture.english)
      for (phrase, audio) in calls {
        let heard = try await session.decode(audio)
        #expect(heard?.keyPhrase?.text == phrase)
        // The command begins after it.
        #expect((0.4...1.2).contains(heard?.keyPhrase?.end ?? 0), "\(String(describing: heard))")
        let live = try await WyomingFixture.live(audio, in: session)
        #expect(live == phrase)
      }
      let nothing = try await session.decode(speech)
      #expect(nothing == nil)
    }
    if kind == "a server" {
      try await withEngine("wake") { try await check($0) }
    } else {
      try await check(WyomingFixture.command("wyoming_engine.py", ["wake", "--stdio"]))
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
