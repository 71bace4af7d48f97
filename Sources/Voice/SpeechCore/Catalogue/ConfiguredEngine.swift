import Foundation
import SpeechAudio

/// An engine together with its configuration, so that code can hold engines of different kinds.
package protocol ConfiguredVoice: VoiceEngine where Configuration == Void {
  /// Creates a provider that speaks with the engine inside.
  @MainActor func makeProvider(on output: any AudioOutput) -> any SpeechSynthesisProvider
}

struct ConfiguredEngine<Engine: VoiceEngine>: ConfiguredVoice {
  static var identifier: String { Engine.identifier }
  static var isAvailable: Bool { Engine.isAvailable }
  static var isOffline: Bool { Engine.isOffline }

  let engine: Engine
  let configuration: Engine.Configuration

  var engineId: String { engine.engineId }

  func canGenerate(with _: Void) -> Bool { engine.canGenerate(with: configuration) }

  func fetchVoices(languageCode: String, configuration _: Void) async throws -> [Voice] {
    try await engine.fetchVoices(languageCode: languageCode, configuration: configuration)
  }

  func generateAudio(
    request: VoiceEngineRequest, configuration _: Void
  ) async throws -> VoiceEngineOutput {
    try await engine.generateAudio(request: request, configuration: configuration)
  }

  func estimateDuration(request: VoiceEngineRequest, configuration _: Void) -> TimeInterval {
    engine.estimateDuration(request: request, configuration: configuration)
  }

  func isVoiceAvailable(voiceId: String, configuration _: Void) async -> Bool {
    await engine.isVoiceAvailable(voiceId: voiceId, configuration: configuration)
  }

  func streamAudio(
    request: VoiceEngineRequest, configuration _: Void
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    engine.streamAudio(request: request, configuration: configuration)
  }

  // Of the engine itself, which apps may ask for by its type.
  @MainActor func makeProvider(on output: any AudioOutput) -> any SpeechSynthesisProvider {
    VoiceSynthesisProvider(engine: engine, configuration: configuration, output: output)
  }
}
