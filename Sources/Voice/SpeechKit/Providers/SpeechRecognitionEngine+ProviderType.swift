import Foundation

extension SpeechRecognitionEngine {
  /// Creates an engine that listens with the recogniser of that type, or with PocketSphinx if
  /// there is none.
  ///
  /// - Parameters:
  ///   - silenceThreshold: the silence in seconds that ends an utterance.
  ///   - input: the input that it hears; the default microphone unless given.
  public convenience init(
    providerType: SpeechRecognitionProviderType = .auto, silenceThreshold: TimeInterval = 0.8,
    input: any AudioInput = PortAudioMicrophone()
  ) {
    let catalog = SpeechCatalog.current
    let entry = providerType.entry(in: catalog) ?? .pocketSphinx
    let segmenter = SpeechSegmenterConfiguration(silenceThreshold: silenceThreshold)
    let recogniser = try? catalog.recogniser(BackendName(entry: entry.name))
    self.init(
      provider: recogniser?.makeProvider(input: input, segmenter: segmenter)
        ?? PocketSphinxRecognitionProvider(
          configuration: PocketSphinxConfiguration(), input: input, segmenter: segmenter))
  }

  /// The type of the recogniser that listens; `.auto` for a provider of the app's own.
  public var providerType: SpeechRecognitionProviderType {
    let identifier = type(of: provider).identifier
    return SpeechCatalog.current.recognisers.first { $0.identifier == identifier }
      .map { SpeechRecognitionProviderType($0) } ?? .auto
  }
}
