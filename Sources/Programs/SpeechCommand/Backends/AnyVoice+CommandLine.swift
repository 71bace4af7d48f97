import Foundation
import SpeechCore

extension AnyVoice {
  /// Creates the voice that the command line asks for. Settings that its engine does not support
  /// are a mistake in the command line; a missing voice is a failure.
  package init(
    _ name: BackendName, in catalog: SpeechCatalog, style: SpeakingStyle = .default,
    isSSML: Bool = false
  ) async throws {
    do {
      self = try await catalog.voice(
        name, settings: VoiceSettings(style: style, interpretsSSML: isSSML))
    } catch let error as SpeechCatalogError {
      guard case .unknownVoice = error else { throw UsageError(error.localizedDescription) }
      throw CommandFailure(
        .unavailable,
        error.localizedDescription + " `speechkit voices` lists those that are installed.")
    }
  }
}
