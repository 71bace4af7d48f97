import AIServices
import SpeechCore

extension RecogniserEntry {
  /// Transcription by OpenAI, or by a server of its kind. Its variants are the models.
  public static let openAI = RecogniserEntry(
    "openai", of: OpenAITranscriptionDecoder.self, displayName: "OpenAI", isLocal: false,
    features: [.server],
    library: .curl,
    remedy: "Store its key with `speechkit credentials set openai`, or name a server of its kind.",
    access: { settings, _ in
      if settings.server == nil { try await AICredentialManager.checkKey(for: "openai") }
    }
  ) { settings in
    OpenAITranscriptionDecoder.Configuration(
      service: OpenAIProvider(server: settings.server),
      model: settings.variant.isEmpty ? nil : settings.variant,
      wantsPartials: settings.reportsPartials)
  }
}
