import Foundation

extension PocketSphinxConfiguration {
  /// The configuration that SpeechKit's own recognisers use: words that no dictionary has are
  /// pronounced as the first available voice of the catalogue speaks them, and the user's own
  /// dictionary takes precedence.
  ///
  /// ```swift
  /// let decoder = try PocketSphinxDecoder(
  ///   configuration: configuration.withStandardPronunciations, locale: locale)
  /// ```
  /// `NoPronunciations` and `UserDictionary.off` prevent that.
  public var withStandardPronunciations: PocketSphinxConfiguration {
    var configuration = self
    if pronunciationSource == nil {
      configuration.pronunciationSource = SpeechCatalog.current.pronunciations
    }
    if userDictionary == nil { configuration.userDictionary = .standard }
    return configuration
  }
}

extension SpeechTranscriber where Decoder == PocketSphinxDecoder {
  /// Creates a transcriber with the standard pronunciations. Its decoder is loaded with the first
  /// file and kept for the next ones.
  public init(
    configuration: PocketSphinxConfiguration = PocketSphinxConfiguration(),
    locale: Locale = Locale(identifier: "en-US"),
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(
      session: RecognitionSession(
        configuration: configuration.withStandardPronunciations, locale: locale),
      segmenter: segmenter)
  }
}

extension DecoderRecognitionProvider where Decoder == PocketSphinxDecoder {
  /// Creates a provider that hears that input with the standard pronunciations.
  public convenience init(
    configuration: PocketSphinxConfiguration, input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(
      completed: configuration.withStandardPronunciations, input: input, segmenter: segmenter)
  }
}
