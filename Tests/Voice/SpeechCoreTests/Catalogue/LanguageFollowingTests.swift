import Foundation
import SpeechAudio
import SpeechCore
import SpeechConcurrency
import Testing

/// A voice of two languages that notes the requests.
private struct BilingualVoice: VoiceEngine {
  static let isOffline = true
  static let identifier = "test.bilingual"

  let engineId = "bilingual"
  let requests = Requests()

  final class Requests: Sendable {
    let all = Guarded<[VoiceEngineRequest]>([])
  }

  func canGenerate(with configuration: Void) -> Bool { true }

  func fetchVoices(languageCode: String, configuration: Void) async throws -> [Voice] {
    ["en", "de"].filter { languageCode.isEmpty || $0 == languageCode }
      .map { Voice(id: "voice-\($0)", name: $0, languages: [$0]) }
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration: Void
  ) async throws -> VoiceEngineOutput {
    requests.all.withLock { $0.append(request) }
    let audio = PCMBuffer(samples: [1, 2, 3], format: .recognition)
    return VoiceEngineOutput(audioData: try AudioFile.encode(audio, as: .wav), audioFormat: .wav)
  }

  func estimateDuration(request: VoiceEngineRequest, configuration: Void) -> TimeInterval { 1 }

  func isVoiceAvailable(voiceId: String, configuration: Void) async -> Bool {
    voiceId.hasPrefix("voice-")
  }
}

@MainActor
struct LanguageFollowingTests {
  private let engine = BilingualVoice()

  private var catalog: SpeechCatalog {
    let entry = VoiceEntry("bilingual", displayName: "Bilingual", remedy: "None.") {
      [engine] _ in (engine, ())
    }
    return SpeechCatalog(voices: [entry], recognisers: [])
  }

  private var languages: [String] { engine.requests.all.withLock { $0.map(\.languageCode) } }
  private var voices: [String] { engine.requests.all.withLock { $0.map(\.voiceId) } }

  @Test func `each text is spoken in its own language`() async throws {
    let voice = try await catalog.voice("auto")
    #expect(await voice.exists())
    for text in ["Wie spät ist es jetzt?", "It is eight o'clock.", "Guten Morgen, ihr beiden."] {
      _ = try await voice.render(text)
    }
    #expect(languages == ["de", "en", "de"])
    #expect(voices == ["", "", ""])
  }

  @Test func `an unclear text is spoken by the default voice, or as the one before`() async throws {
    let voice = try await catalog.voice("bilingual:auto")
    for text in ["OK", "Das ist sehr gut.", "OK", "¿Dónde está la estación, por favor?", "1234"] {
      _ = try await voice.render(text)
    }
    #expect(languages == ["", "de", "de", "de", "de"])
  }

  @Test func `a provider of the voice follows the language too`() async throws {
    let voice = try await catalog.voice("auto")
    let speaker = MemorySpeaker()
    let provider = voice.makeProvider(output: speaker)
    try await provider.speak(text: "Wo ist der Bahnhof?", voice: voice.voice)
    #expect(languages == ["de"])
    #expect(speaker.sounds.count == 1)
    #expect(type(of: provider).identifier == "test.bilingual")
  }

  @Test func `a voice that is named keeps its language`() async throws {
    let voice = try await catalog.voice("bilingual:voice-en")
    _ = try await voice.render("Wo ist der Bahnhof?")
    #expect(voices == ["voice-en"])
    #expect(languages == [""])
  }
}
