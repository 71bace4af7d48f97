import Foundation

extension SpeechRecognitionEngine {
  /// An engine that listens through the best recogniser at hand.
  public convenience init() {
    self.init(providerType: .auto)
  }

  /// An engine that listens through the recogniser of that name.
  ///
  /// - Parameter silenceThreshold: the silence in seconds that ends an utterance.
  public convenience init(
    providerType: SpeechRecognitionProviderType, silenceThreshold: TimeInterval = 0.8
  ) {
    switch providerType {
    case .auto, .pocketSphinx, .sfSpeechRecognizer, .speechAnalyzer:
      self.init(provider: PocketSphinxRecognitionProvider(silenceThreshold: silenceThreshold))
    }
  }

  /// The recogniser that really runs; `.auto` for a provider of the app's own.
  public var providerType: SpeechRecognitionProviderType {
    provider is PocketSphinxRecognitionProvider ? .pocketSphinx : .auto
  }
}
