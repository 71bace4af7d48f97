import Foundation
import SpeechAudio

/// Any voice engine together with its configuration, so that code can hold voices of different
/// engines.
///
/// ```swift
/// let engine = AnyVoiceEngine(FliteEngine(), configuration: .default)
/// let request = engine.makeRequest(text: "Good morning.")
/// let audio = try await engine.render(request, configuration: ())
/// ```
package struct AnyVoiceEngine: VoiceEngine {
  /// True if the engine inside needs no network.
  package let isLocal: Bool
  /// The identifier of the engine inside.
  package let engineId: String

  private let canGenerate: @Sendable () -> Bool
  private let voices: @Sendable (String) async throws -> [Voice]
  private let audio: @Sendable (VoiceEngineRequest) async throws -> VoiceEngineOutput
  private let duration: @Sendable (VoiceEngineRequest) -> TimeInterval
  private let hasVoice: @Sendable (String) async -> Bool
  private let stream:
    @Sendable (VoiceEngineRequest) -> AsyncThrowingStream<VoiceEngineChunk, any Error>
  private let provider: @MainActor @Sendable (any AudioOutput) -> any SpeechSynthesisProvider

  /// Wraps an engine and its configuration.
  package init<Engine: VoiceEngine>(_ engine: Engine, configuration: Engine.Configuration) {
    isLocal = Engine.isOffline
    engineId = engine.engineId
    canGenerate = { engine.canGenerate(with: configuration) }
    voices = { try await engine.fetchVoices(languageCode: $0, configuration: configuration) }
    audio = { try await engine.generateAudio(request: $0, configuration: configuration) }
    duration = { engine.estimateDuration(request: $0, configuration: configuration) }
    hasVoice = { await engine.isVoiceAvailable(voiceId: $0, configuration: configuration) }
    stream = { engine.streamAudio(request: $0, configuration: configuration) }
    provider = {
      VoiceSynthesisProvider(engine: engine, configuration: configuration, output: $0)
    }
  }

  /// Asks the engine inside.
  package func canGenerate(with configuration: Void) -> Bool { canGenerate() }

  /// Asks the engine inside.
  package func fetchVoices(
    languageCode: String, configuration: Void
  ) async throws -> [Voice] {
    try await voices(languageCode)
  }

  /// Asks the engine inside.
  package func generateAudio(
    request: VoiceEngineRequest, configuration: Void
  ) async throws -> VoiceEngineOutput {
    try await audio(request)
  }

  /// Asks the engine inside.
  package func estimateDuration(
    request: VoiceEngineRequest, configuration: Void
  ) -> TimeInterval {
    duration(request)
  }

  /// Asks the engine inside.
  package func isVoiceAvailable(voiceId: String, configuration: Void) async -> Bool {
    await hasVoice(voiceId)
  }

  /// Asks the engine inside.
  package func streamAudio(
    request: VoiceEngineRequest, configuration: Void
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    stream(request)
  }

  /// Creates a provider of the engine inside, with its identifier and its capabilities.
  @MainActor package func makeProvider(
    output: any AudioOutput
  ) -> any SpeechSynthesisProvider {
    provider(output)
  }
}
