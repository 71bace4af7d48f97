import Foundation
import SpeechCore
import SpeechPortAudio

extension SpeechRecognitionEngine {
  /// Creates an engine that listens with the catalogue's first recogniser.
  public convenience init() {
    self.init(providerType: .auto)
  }

  /// Creates an engine that listens with the recogniser of that type.
  ///
  /// - Parameter silenceThreshold: the silence in seconds that ends an utterance.
  public convenience init(
    providerType: SpeechRecognitionProviderType, silenceThreshold: TimeInterval = 0.8
  ) {
    let catalog = SpeechCatalog.current
    let settings = RecogniserSettings()
    guard let entry = catalog.recogniserEntry(for: providerType),
      let recogniser = try? catalog.recogniser(BackendName(entry: entry.name), settings: settings)
    else {
      // The standard recogniser takes dictation, and no entry refuses that.
      self.init(provider: PocketSphinxRecognitionProvider(silenceThreshold: silenceThreshold))
      return
    }
    self.init(
      provider: recogniser.makeProvider(
        input: PortAudioMicrophone(),
        segmenter: SpeechSegmenterConfiguration(silenceThreshold: silenceThreshold)))
  }

  /// The type of the recogniser that listens; `.auto` for a provider of the app's own.
  public var providerType: SpeechRecognitionProviderType {
    SpeechCatalog.current.type(ofRecogniser: type(of: provider).identifier)
  }
}
