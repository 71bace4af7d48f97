import Foundation
import SpeechAudio

extension VoiceEngine {
  /// The sound of the whole request, as samples.
  ///
  /// - Throws: what the engine throws.
  public func render(
    _ request: VoiceEngineRequest, configuration: Configuration
  ) async throws -> PCMBuffer {
    var rendered: PCMBuffer?
    for try await chunk in streamAudio(request: request, configuration: configuration) {
      if rendered == nil {
        rendered = chunk.audio
      } else {
        rendered?.append(chunk.audio)
      }
    }
    guard let rendered else { throw SpeechSynthesisProviderError.invalidText }
    return rendered
  }
}
