import Foundation
import SpeechAudio
import SpeechCore
import SpeechTesting
import TestSupport
import Testing

@testable import SpeechWhisper

/// In processes of their own, where nothing else allocates or opens files.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WhisperEnduranceTests {
  @Test func `decoders that start and stop leave nothing`() async {
    await #expect(processExitsWith: .success) {
      let speech = try await WhisperFixture.spoken("Good morning.")
      func cycle(_ number: Int) async throws {
        let decoder = try WhisperDecoder(
          configuration: WhisperFixture.configuration, locale: WhisperFixture.english)
        _ = try await decoder.hear(.start)
        _ = try await decoder.hear(.audio(speech))
        let draft = decoder.running
        // A decoding that nobody uses, one that is used, and one that is broken off.
        switch number % 3 {
        case 0: _ = try await decoder.hear(.paused(true))
        case 1: _ = try await decoder.hear(.finish)
        default: _ = try await decoder.hear(.discard)
        }
        // What is broken off holds its memory until the library notices.
        await draft?.ended()
        await decoder.running?.ended()
      }
      for number in 0..<6 { try await cycle(number) }
      let before = ProcessHoldings.now()
      for number in 0..<Endurance.count(full: 1_000, short: 13) { try await cycle(number) }
      // The allocator keeps some of what is freed, and a task frees its decoder when it has ended. A
      // decoder holds more than this.
      let growth = 64 << 10
      let after = ProcessHoldings.settled(since: before, kibibytes: growth)
      #expect(after.hasGrown(since: before, atMostKibibytes: growth))
      #expect(after.descriptors == before.descriptors)
    }
  }

  @Test func `memory does not grow with the length of a file`() async {
    await #expect(processExitsWith: .success) {
      let sentence = try await WhisperFixture.spoken(
        "The weather is going to be sunny tomorrow, and we are planning a trip to the mountains.")
      func audio(_ minutes: Int) -> PCMBuffer {
        var audio = PCMBuffer(format: .recognition)
        while audio.duration < .seconds(60 * minutes) {
          audio.append(sentence)
          audio.append(.silence(.seconds(1), format: .recognition))
        }
        return audio
      }
      let transcriber = SpeechTranscriber<WhisperDecoder>(
        configuration: try WhisperFixture.configuration)
      let minutes = Endurance.count(full: 60, short: 2)
      let long = audio(minutes)
      _ = try await transcriber.transcribe(audio(1))
      let before = ProcessHoldings.now()
      let transcript = try await transcriber.transcribe(long)
      #expect(transcript.segments.count > minutes * 6)
      #expect(transcript.segments.allSatisfy { plainWords($0.text).contains("mountains") })
      #expect(ProcessHoldings.now().hasGrown(since: before, atMostKibibytes: 30 << 10))
    }
  }
}
