import Foundation
import SpeechCore

extension AnyVoice {
  /// Creates the voice that the command line asks for.
  ///
  /// - Throws: `UsageError` if its engine does not support the settings; `CommandFailure` when no
  ///   engine has it.
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
