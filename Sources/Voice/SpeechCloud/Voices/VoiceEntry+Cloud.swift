import AIServices
import Foundation
import SpeechCore

extension VoiceEntry {
  /// The voices of ElevenLabs.
  public static let elevenLabs = VoiceEntry(
    "elevenlabs", displayName: "ElevenLabs",
    library: .curl,
    remedy: "Store its key with `speechkit credentials set elevenlabs`.",
    access: { _ in try await AICredentialManager.checkKey(for: "elevenlabs") }
  ) { settings in
    (ElevenLabsProvider(), CloudVoiceConfiguration(style: settings.style))
  }

  /// The voices of OpenAI, or of a server of its kind.
  public static let openAI = VoiceEntry(
    "openai", displayName: "OpenAI", features: [.server, .fixedVoices],
    library: .curl,
    remedy: "Store its key with `speechkit credentials set openai`, or name a server of its kind.",
    access: { settings in
      if settings.server == nil { try await AICredentialManager.checkKey(for: "openai") }
    }
  ) { settings in
    (
      OpenAIVoice(service: OpenAIProvider(server: settings.server)),
      CloudVoiceConfiguration(style: settings.style)
    )
  }
}

extension AICredentialManager {
  /// Throws if no key is stored for a service. An error of the service itself does not distinguish
  /// a missing key from a rejected one.
  static func checkKey(for service: String) async throws {
    _ = try await shared.retrieve(providerID: service, type: .apiKey)
  }
}

extension OpenAIProvider {
  /// Creates a provider for OpenAI, or for another server of its kind.
  package convenience init(server: URL?) {
    if let server {
      self.init(
        configuration: .compatible(
          id: "openai", displayName: "The server", baseURL: server.absoluteString))
    } else {
      self.init()
    }
  }
}
