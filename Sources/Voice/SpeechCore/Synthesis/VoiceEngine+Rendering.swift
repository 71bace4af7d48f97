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
    onChunk: (VoiceEngineChunk) throws -> Void
  ) async throws -> PCMBuffer {
    var rendered: PCMBuffer?
    for try await chunk in streamAudio(request: request, configuration: configuration) {
      try onChunk(chunk)
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

  /// Synthesises the whole request as a WAV file, with its rate and duration in the metadata.
  package func renderWAV(
    _ request: VoiceEngineRequest, configuration: Configuration, metadata: [String: String]
  ) async throws -> VoiceEngineOutput {
    var frames = 0
    let audio = try await render(request, configuration: configuration) { chunk in
      frames += chunk.audio.frameCount
      // The capacity of a WAV file.
      guard frames < Int(Int32.max) / 2 else {
        throw SpeechSynthesisProviderError.unknown(
          "The speech is longer than a WAV file can be. Stream it instead, or speak it in parts.")
      }
    }
    let facts = ["sampleRate": String(audio.format.sampleRate), "frames": String(frames)]
    do {
      return VoiceEngineOutput(
        audioData: try AudioFile.encode(audio, as: .wav), audioFormat: .wav,
        metadata: metadata.merging(facts) { given, _ in given })
    } catch {
      throw SpeechSynthesisProviderError.unknown(
        "The speech could not be written as WAV: \(error.localizedDescription)")
    }
  }
}
