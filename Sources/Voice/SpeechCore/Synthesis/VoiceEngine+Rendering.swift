import Foundation
import SpeechAudio

extension VoiceEngine {
  /// Synthesises the whole request into samples.
  ///
  /// - Throws: the engine's error; `CancellationError` when the task is cancelled.
  public func render(
    _ request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> PCMBuffer {
    try await render(request, configuration: configuration) { _ in }
  }

  /// Synthesises the whole request, and reports each piece.
  package func render(
    _ request: VoiceEngineRequest, configuration: Configuration,
    onChunk: (VoiceEngineChunk) -> Void
  ) async throws -> PCMBuffer {
    var rendered: PCMBuffer?
    for try await chunk in streamAudio(request: request, configuration: configuration) {
      onChunk(chunk)
      guard let format = rendered?.format else {
        rendered = chunk.audio
        continue
      }
      guard chunk.audio.format == format else {
        throw SpeechSynthesisProviderError.unknown(
          "The voice engine “\(engineId)” changed from \(format.sampleRate) to "
            + "\(chunk.audio.format.sampleRate) Hz in the middle of a text.")
      }
      rendered?.append(chunk.audio)
    }
    // A stream whose task is cancelled may end without an error.
    try Task.checkCancellation()
    guard let rendered else { throw SpeechSynthesisProviderError.invalidText }
    return rendered
  }
}
