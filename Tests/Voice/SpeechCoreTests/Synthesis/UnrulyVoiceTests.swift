import Foundation
import SpeechAudio
import SpeechCore
import Testing

/// Voice engines of other authors may do anything; speaking with them has to end nevertheless.
@MainActor
struct UnrulyVoiceTests {
  private func provider(_ voice: UnrulyVoice) -> VoiceSynthesisProvider<UnrulyVoice> {
    VoiceSynthesisProvider(engine: voice, configuration: (), output: MemorySpeaker())
  }

  private static func sound(_ frames: Int, rate: Int = 8_000) -> PCMBuffer {
    PCMBuffer(samples: [Int16](repeating: 9, count: frames), format: .init(sampleRate: rate))
  }

  @Test func `a text without audio is invalid`() async {
    let provider = provider(UnrulyVoice(chunks: []))
    let events = provider.events
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      try await provider.speak(text: "Hello", voice: nil)
    }
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      _ = try await provider.render(text: "Hello")
    }
    #expect(await events.prefix(1).collected() == [.failed(.invalidText)])
  }

  @Test func `stopping before the first audio is reported, even without an error`()
    async throws
  {
    let asked = Gate()
    let provider = provider(UnrulyVoice(chunks: [], endsOnlyWhenCancelled: asked))
    let speech = Task { try await provider.speak(text: "Hello", voice: nil) }
    await asked.pass()
    provider.stop()
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await speech.value }
  }

  @Test func `interrupted audio is not returned as complete`() async throws {
    let asked = Gate()
    let voice = UnrulyVoice(
      chunks: [VoiceEngineChunk(audio: Self.sound(8))], endsOnlyWhenCancelled: asked)
    let rendering = Task { try await voice.render(voice.makeRequest(text: "a"), configuration: ()) }
    await asked.pass()
    rendering.cancel()
    await #expect(throws: CancellationError.self) { _ = try await rendering.value }
  }

  @Test func `a position after the end of the audio is reported at its end`() async throws {
    let beyond = SpeechPosition(kind: .word, textRange: 0..<5, audioOffset: .seconds(60))
    let provider = provider(
      UnrulyVoice(chunks: [VoiceEngineChunk(audio: Self.sound(800), positions: [beyond])]))
    let positions = provider.positions
    try await provider.speak(text: "Hello", voice: nil)
    #expect(await positions.prefix(1).collected() == [beyond])
  }

  @Test func `pieces of different rates are an error and not an end`() async {
    let provider = provider(
      UnrulyVoice(
        chunks: [
          VoiceEngineChunk(audio: Self.sound(8)),
          VoiceEngineChunk(audio: Self.sound(8, rate: 16_000)),
        ]))
    let spoken = await #expect(throws: SpeechSynthesisProviderError.self) {
      try await provider.speak(text: "Hello", voice: nil)
    }
    #expect(spoken?.localizedDescription.contains("16000 Hz") == true)
    let rendered = await #expect(throws: SpeechSynthesisProviderError.self) {
      _ = try await provider.render(text: "Hello")
    }
    #expect(rendered?.localizedDescription.contains("16000 Hz") == true)
  }

  @Test(arguments: [TimeInterval.nan, .infinity, -1, 1e300])
  func `an invalid estimate of the duration does no harm`(estimate: TimeInterval) async throws {
    let voice = UnrulyVoice(
      chunks: [VoiceEngineChunk(audio: Self.sound(80))], estimate: estimate)
    try await provider(voice).speak(text: "Hello", voice: nil)
  }
}

/// A voice that streams given pieces.
private struct UnrulyVoice: VoiceEngine {
  let engineId = "unruly"
  var chunks: [VoiceEngineChunk]
  var estimate: TimeInterval = 1
  /// After the pieces the stream opens this gate and stays open until it is cancelled.
  var endsOnlyWhenCancelled: Gate?

  func canGenerate(with configuration: Void) -> Bool { true }

  func fetchVoices(languageCode: String, configuration: Void) async throws -> [Voice] { [] }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Void
  ) async throws -> VoiceEngineOutput {
    throw SpeechSynthesisProviderError.invalidText
  }

  func estimateDuration(request: VoiceEngineRequest, configuration: Void) -> TimeInterval {
    estimate
  }

  func isVoiceAvailable(voiceId: String, configuration: Void) async -> Bool { true }

  func streamAudio(
    request: VoiceEngineRequest, configuration: Void
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let next = Counter()
    // Kept by the stream, so that waiting on it ends with the cancellation and not before.
    let (silence, hold) = AsyncStream.makeStream(of: Void.self)
    return AsyncThrowingStream {
      let index = next.increment()
      if index < chunks.count { return chunks[index] }
      if let endsOnlyWhenCancelled {
        endsOnlyWhenCancelled.open()
        for await _ in silence {}
        hold.finish()
      }
      return nil
    }
  }
}
