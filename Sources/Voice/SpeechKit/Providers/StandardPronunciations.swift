import Foundation

extension PocketSphinxConfiguration {
  /// The same, with what recognisers made by SpeechKit have where nothing else is said: words that no
  /// dictionary has are pronounced as eSpeak NG says them, and the user's own dictionary goes before all.
  ///
  /// ```swift
  /// let decoder = try PocketSphinxDecoder(
  ///   configuration: configuration.withStandardPronunciations, locale: locale)
  /// ```
  /// `NoPronunciations` and `UserDictionary.off` keep it from that.
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
  /// A transcriber with such a decoder, which knows how to say any word. It is loaded with the first file
  /// and kept for the next ones.
  public init(
    configuration: PocketSphinxConfiguration, locale: Locale = Locale(identifier: "en-US"),
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(
      session: RecognitionSession(
        configuration: configuration.withStandardPronunciations, locale: locale),
      segmenter: segmenter)
  }
}

extension DecoderRecognitionProvider where Decoder == PocketSphinxDecoder {
  /// A provider that hears that input with such decoders, which know how to say any word.
  public convenience init(
    configuration: PocketSphinxConfiguration, input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(
      completed: configuration.withStandardPronunciations, input: input, segmenter: segmenter)
  }
}
