import SpeechKit
import Testing

/// An engine as the boundary document describes one: a configuration with what the service needs,
/// and data that would come from there.
private struct FixtureEngine: VoiceEngine {
  struct Configuration: Sendable {
    var apiKey: String
  }

  let engineId = "fixture"
  let recording: Data

  func canGenerate(with configuration: Configuration) -> Bool { !configuration.apiKey.isEmpty }

  func fetchVoices(
    languageCode: String, configuration: Configuration
  ) async throws -> [Voice] {
    [Voice(id: "ada", name: "Ada", languages: ["en-GB"], gender: .female)]
      .filter { $0.language.hasPrefix(languageCode) }
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> VoiceEngineOutput {
    guard canGenerate(with: configuration) else {
      throw SpeechSynthesisProviderError.authenticationFailed
    }
    return VoiceEngineOutput(
      audioData: recording, audioFormat: .wav, metadata: ["characters": "\(request.text.count)"])
  }

  func estimateDuration(
    request: VoiceEngineRequest, configuration: Configuration
  ) -> TimeInterval {
    Double(request.text.count) / 15
  }

  func isVoiceAvailable(voiceId: String, configuration: Configuration) async -> Bool {
    voiceId == "ada"
  }
}

@MainActor
struct EngineBoundaryTests {
  private let sound = PCMBuffer(
    samples: (0..<8_000).map { Int16($0 % 40 * 100) }, format: .recognition)

  private func engine() throws -> FixtureEngine {
    FixtureEngine(recording: try AudioFile.encode(sound))
  }

  @Test func `an engine creates its own requests`() async throws {
    let engine = try engine()
    let request = engine.makeRequest(
      text: "Hello", voiceId: "ada", languageCode: "en-GB", options: ["style": "calm"])
    #expect(request.text == "Hello")
    #expect(request.voiceId == "ada")
    #expect(request.languageCode == "en-GB")
    #expect(request.options == ["style": "calm"])
    #expect(engine.makeRequest(text: "Hello") == VoiceEngineRequest(text: "Hello"))

    let configuration = FixtureEngine.Configuration(apiKey: "secret")
    let output = try await engine.generateAudio(request: request, configuration: configuration)
    #expect(try output.decodedAudio() == sound)
    #expect(output.fileExtension == "wav")
    #expect(output.mimeType == "audio/wav")
    #expect(output.metadata == ["characters": "5"])
    #expect(engine.engineId == "fixture")
    let voices = try await engine.fetchVoices(languageCode: "en", configuration: configuration)
    #expect(voices.map(\.id) == ["ada"])
    #expect(await engine.isVoiceAvailable(voiceId: "ada", configuration: configuration))
  }

  @Test func `an engine becomes a provider without further work`() async throws {
    let speaker = MemorySpeaker()
    let provider = VoiceSynthesisProvider(
      engine: try engine(), configuration: .init(apiKey: "secret"), output: speaker)
    try await SpeechSynthesisEngine(provider: provider).speak(text: "Hello")
    #expect(speaker.sounds.map(\.audio) == [sound])
    #expect(!provider.capabilities.contains(.offline))
  }

  @Test func `the provider passes on the engine's errors`() async throws {
    let provider = VoiceSynthesisProvider(
      engine: try engine(), configuration: .init(apiKey: ""), output: MemorySpeaker())
    await #expect(throws: SpeechSynthesisProviderError.authenticationFailed) {
      try await provider.speak(text: "Hello", voice: nil)
    }
  }

  @Test(arguments: [
    (VoiceEngineAudioFormat.mp3, "mp3", "audio/mpeg"), (.wav, "wav", "audio/wav"),
    (.aifc, "aifc", "audio/aiff"), (.aiff, "aiff", "audio/aiff"), (.m4a, "m4a", "audio/mp4"),
    (.aac, "aac", "audio/aac"), (.flac, "flac", "audio/flac"), (.ogg, "ogg", "audio/ogg"),
    (.opus, "opus", "audio/ogg"), (.caf, "caf", "audio/x-caf"),
  ])
  func `an output has its format's extension and MIME type`(
    _ format: VoiceEngineAudioFormat, _ fileExtension: String, _ mimeType: String
  ) {
    #expect(format.defaultFileExtension == fileExtension)
    #expect(format.defaultMIMEType == mimeType)
    let output = VoiceEngineOutput(audioData: Data(), audioFormat: format)
    #expect(output.fileExtension == fileExtension)
    #expect(output.mimeType == mimeType)
  }

  @Test func `the engine's values take precedence over the defaults of its format`() {
    let output = VoiceEngineOutput(
      audioData: Data(), audioFormat: .mp3, fileExtension: "mpga", mimeType: "audio/mp3")
    #expect(output.fileExtension == "mpga")
    #expect(output.mimeType == "audio/mp3")
  }
}
