import Foundation
import SpeechKit
import SpeechText

/// The voices' engines, by the names that options use.
enum VoiceProviderName: String, CaseIterable, Sendable {
  case espeak
  case flite
  case elevenlabs
  case openai

  /// The name that is shown.
  var displayName: String {
    switch self {
    case .espeak: "eSpeak NG"
    case .flite: "Flite"
    case .elevenlabs: "ElevenLabs"
    case .openai: "OpenAI"
    }
  }

  /// Whether it speaks on this machine.
  var isLocal: Bool {
    switch self {
    case .espeak, .flite: true
    case .elevenlabs, .openai: false
    }
  }

  /// Fails when there is no key for the service, in words that say so: from the errors of voices nobody can
  /// tell that from a key that was refused.
  ///
  /// - Parameter server: another server of the service's kind, which needs no key.
  func requireKey(server: String?) async throws {
    guard !isLocal, server == nil else { return }
    _ = try await AICredentialManager.shared.retrieve(providerID: rawValue, type: .apiKey)
  }
}

/// A voice as it is asked for: `flite:slt`, `espeak:de+f3`, or `en-gb` of whichever engine has it.
struct VoiceName: Sendable, Equatable {
  var provider: VoiceProviderName?
  /// The engine's own name of it; empty for the engine's choice.
  var voice: String

  init(provider: VoiceProviderName? = nil, voice: String = "") {
    self.provider = provider
    self.voice = voice
  }

  /// - Throws: `UsageError` when the part before the colon is no engine.
  init(_ text: String) throws(UsageError) {
    guard let colon = text.firstIndex(of: ":") else {
      // An engine alone is its own choice of a voice.
      if let provider = VoiceProviderName(rawValue: text) {
        self.init(provider: provider)
      } else {
        self.init(voice: text)
      }
      return
    }
    let name = String(text[..<colon])
    guard let provider = VoiceProviderName(rawValue: name) else {
      let nearest = NearestName.of(name, among: VoiceProviderName.allCases.map(\.rawValue))
      throw UsageError(
        "“\(name)” in “\(text)” is no engine; there are espeak, flite, elevenlabs and openai."
          + (nearest.map { " Did you mean “\($0)”?" } ?? ""))
    }
    self.init(provider: provider, voice: String(text[text.index(after: colon)...]))
  }
}
