import AIServiceTesting
import SpeechKit
import Testing

/// The layer above the engines, as the boundary document describes it.
struct VoiceProviderTests {
  @Test func `the platform's engine is wrapped as printed`() async throws {
    // Unified implementation for all platforms
    let engine = AppleTTSEngineBoundary(underlying: AVSpeechTTSEngine())

    #expect(engine.canGenerate(with: .default))
    let output = try await engine.generateAudio(
      request: engine.makeRequest(text: "Hello"), configuration: .default)
    #expect(try output.decodedAudio().duration > .milliseconds(200))
  }

  @Test func `the platform's provider lists voices and generates audio`() async throws {
    let provider: any VoiceProvider = AppleVoiceProvider()
    #expect(provider.providerId == "apple")
    #expect(!provider.requiresAPIKey)
    #expect(await provider.isConfigured())
    let voices = try await provider.fetchVoices(languageCode: "en")
    #expect(voices.allSatisfy { $0.providerId == "apple" && $0.language.hasPrefix("en") })
    #expect(try await provider.fetchVoices().count >= voices.count)
    let voice = try #require(voices.first)
    #expect(await provider.isVoiceAvailable(voiceId: voice.id))
    #expect(await provider.isVoiceAvailable(voiceId: "com.apple.invalid.voice.id") == false)

    let audio = try await provider.generateAudio(text: "Good morning.", voiceId: voice.id)
    let output = VoiceEngineOutput(audioData: audio, audioFormat: .wav)
    #expect(provider.mimeType == output.mimeType)
    let duration = try output.decodedAudio().duration
    let estimate = await provider.estimateDuration(text: "Good morning.", voiceId: voice.id)
    #expect(duration > .milliseconds(300))
    #expect(estimate > 0)
  }

  @Test func `errors of an engine become those of a provider`() async throws {
    let provider = AppleVoiceProvider()
    await #expect {
      try await provider.generateAudio(text: "Hello", voiceId: "nobody")
    } throws: {
      guard case .invalidRequest(let reason)? = $0 as? VoiceProviderError else { return false }
      return reason.contains("nobody")
    }
    await #expect {
      try await provider.generateAudio(text: " ", voiceId: "")
    } throws: {
      if case .invalidRequest? = $0 as? VoiceProviderError { true } else { false }
    }
    #expect(VoiceProviderError.notConfigured.localizedDescription.contains("configured"))
    #expect(VoiceProviderError.networkError("Down").localizedDescription == "Down")
    #expect(VoiceProviderError.invalidResponse.localizedDescription.contains("Invalid"))
  }

  #if Cloud
  @Test func `ElevenLabs' provider speaks with a key that is not stored`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { _ in
      .fixed(headers: ["Content-Type": "audio/mpeg"], body: Data("ID3 sound".utf8))
    }
    let provider = ElevenLabsVoiceProvider(
      apiKey: "0123456789abcdef0123456789abcdef",
      service: ElevenLabsConfiguration(baseURL: server.url().absoluteString))
    #expect(provider.providerId == "elevenlabs")
    #expect(provider.displayName == "ElevenLabs")
    #expect(provider.requiresAPIKey)
    #expect(provider.mimeType == "audio/mpeg")
    #expect(await provider.isConfigured())
    let audio = try await provider.generateAudio(text: "Hello", voiceId: "voice123")
    #expect(audio == Data("ID3 sound".utf8))
    let request = try #require(server.requests.last)
    #expect(request.path.contains("voice123"))
    #expect(request.headers["xi-api-key"] == "0123456789abcdef0123456789abcdef")
  }

  @Test func `ElevenLabs' provider is not configured without a key`() async throws {
    let provider = ElevenLabsVoiceProvider(apiKey: "")
    #expect(await provider.isConfigured() == false)
    await #expect(throws: VoiceProviderError.notConfigured) { try await provider.fetchVoices() }
    await #expect(throws: VoiceProviderError.notConfigured) {
      try await provider.generateAudio(text: "Test", voiceId: "voice123")
    }
    #expect(await provider.estimateDuration(text: "Test text", voiceId: "voice123") > 0)
    #expect(await provider.isVoiceAvailable(voiceId: "voice123") == false)
  }
  #endif
}
