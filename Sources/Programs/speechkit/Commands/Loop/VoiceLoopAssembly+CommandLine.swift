import Foundation
import SpeechKit

extension VoiceLoopAssembly {
  /// Creates what a conversation needs, and looks at its models, so that what is missing is reported
  /// before anything is said.
  ///
  /// - Throws: `CommandFailure` when a model, a grammar or a voice is missing or broken;
  ///   `SpeechCatalogError` for names and settings that the catalogue cannot serve.
  init(_ settings: ConversationSettings, voice name: BackendName?) async throws {
    var settings = settings
    if let name { settings.voice = name.text }
    if let voice = settings.voice { _ = try await AnyVoice(try BackendName(voice: voice)) }
    do {
      try await self.init(settings)
    } catch let error as JSGFError {
      throw CommandFailure(.badData, error.localizedDescription)
    } catch let error as CommandGrammarError {
      throw CommandFailure(.badData, error.localizedDescription)
    }
    do {
      try await checkAccess()
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
  }
}
