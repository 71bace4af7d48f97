import AIServices
import Foundation
import SpeechCore

extension RecogniserEntry {
  /// Transcription by OpenAI, or by a server of its kind. Its variants are the models.
  public static let openAI = RecogniserEntry(
    "openai", of: OpenAITranscriptionDecoder.self, displayName: "OpenAI", isLocal: false,
    features: [.server],
    library: .curl,
    remedy: openAIRemedy, access: checkOpenAIAccess
  ) { settings in
    OpenAITranscriptionDecoder.Configuration(
      service: OpenAIProvider(server: settings.server),
      model: settings.variant.isEmpty ? nil : settings.variant,
      wantsPartials: settings.reportsPartials)
  }

  /// Live transcription by OpenAI, or by a server of its kind: utterances are sent while they are
  /// spoken. Its variants are the models.
  public static let openAILive = RecogniserEntry(
    "openai-live", of: OpenAILiveDecoder.self, displayName: "OpenAI live", isLocal: false,
    features: [.server],
    library: .curl,
    remedy: openAIRemedy, access: checkOpenAIAccess
  ) { settings in
    // Servers of its kind have no model in common that a default could name.
    guard settings.server == nil || !settings.variant.isEmpty else {
      throw SpeechCatalogError.modelRequired(by: "openai-live")
    }
    return OpenAILiveDecoder.Configuration(
      service: OpenAIProvider(server: settings.server),
      model: settings.variant.isEmpty ? nil : settings.variant,
      wantsPartials: settings.reportsPartials)
  }

  private static let openAIRemedy =
    "Store its key with `speechkit credentials set openai`, or name a server of its kind."

  @Sendable private static func checkOpenAIAccess(
    _ settings: RecogniserSettings, locale: Locale
  ) async throws {
    if settings.server == nil { try await AICredentialManager.checkKey(for: "openai") }
  }
}
