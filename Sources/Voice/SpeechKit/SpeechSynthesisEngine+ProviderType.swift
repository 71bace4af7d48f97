import Foundation

extension SpeechSynthesisEngine {
  /// An engine that speaks with the best voice at hand.
  public convenience init() {
    self.init(providerType: .auto)
  }

  /// An engine that speaks with the voice of that name.
  ///
  /// - Parameter fallbackEnabled: whether a local voice speaks where the wanted one fails.
  public convenience init(
    providerType: SpeechSynthesisProviderType, fallbackEnabled: Bool = true
  ) {
    let provider = Self.makeProvider(providerType)
    self.init(
      provider: provider, fallback: fallbackEnabled ? Self.makeFallback(for: provider) : nil)
  }

  /// The voice that speaks, or spoke last; `.auto` for a provider of the app's own.
  public var providerType: SpeechSynthesisProviderType {
    switch speakerIdentifier ?? type(of: provider).identifier {
    case EspeakEngine.identifier: .eSpeak
    case FliteEngine.identifier: .flite
    case ElevenLabsProvider.identifier: .elevenLabs
    case OpenAITTSProvider.identifier: .openAI
    default: .auto
    }
  }

  private static func makeProvider(
    _ type: SpeechSynthesisProviderType
  ) -> any SpeechSynthesisProvider {
    switch type {
    case .auto: EspeakEngine.isAvailable ? EspeakSynthesisProvider() : FliteSynthesisProvider()
    case .apple, .eSpeak, .localTTS: EspeakSynthesisProvider()
    case .flite: FliteSynthesisProvider()
    case .elevenLabs: ElevenLabsSynthesisProvider()
    case .openAI: OpenAISynthesisProvider()
    }
  }

  /// The other local voice for a local one, else the platform's own.
  private static func makeFallback(
    for provider: any SpeechSynthesisProvider
  ) -> any SpeechSynthesisProvider {
    provider is EspeakSynthesisProvider ? FliteSynthesisProvider() : EspeakSynthesisProvider()
  }
}
