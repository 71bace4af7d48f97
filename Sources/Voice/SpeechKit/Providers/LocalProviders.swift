import Foundation

/// A provider that recognises speech with PocketSphinx.
public typealias PocketSphinxRecognitionProvider = DecoderRecognitionProvider<PocketSphinxDecoder>

/// A PocketSphinx decoder that waits for a key phrase, and then recognises a command.
public typealias PocketSphinxWakeWordDecoder = WakeWordDecoder<
  PocketSphinxDecoder, PocketSphinxDecoder
>

/// A provider that speaks with Flite.
public typealias FliteSynthesisProvider = VoiceSynthesisProvider<FliteEngine>

extension DecoderRecognitionProvider where Decoder == PocketSphinxDecoder {
  /// Creates a provider at the default microphone. Words that no dictionary has are pronounced as
  /// described in `PocketSphinxConfiguration.withStandardPronunciations`.
  ///
  /// - Parameter silenceThreshold: the silence in seconds that ends an utterance.
  public convenience init(
    configuration: PocketSphinxConfiguration = PocketSphinxConfiguration(),
    silenceThreshold: TimeInterval? = nil
  ) {
    self.init(
      configuration: configuration, input: PortAudioMicrophone(),
      segmenter: SpeechSegmenterConfiguration(silenceThreshold: silenceThreshold))
  }
}

extension VoiceSynthesisProvider where Engine == FliteEngine {
  /// Creates a provider that plays on the default speakers.
  public convenience init(configuration: FliteConfiguration = .default) {
    self.init(engine: FliteEngine(), configuration: configuration, output: PortAudioSpeaker())
  }
}

extension SpeechSegmenterConfiguration {
  /// The default configuration, with an utterance's end after that many seconds of silence.
  init(silenceThreshold: TimeInterval?) {
    self.init()
    if let silenceThreshold { maximumSilence = .seconds(silenceThreshold) }
  }
}
