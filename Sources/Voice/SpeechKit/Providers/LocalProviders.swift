import Foundation

/// PocketSphinx as a recogniser for apps.
public typealias PocketSphinxRecognitionProvider = DecoderRecognitionProvider<PocketSphinxDecoder>

/// PocketSphinx waiting for a phrase, and then for a command.
public typealias PocketSphinxWakeWordDecoder = WakeWordDecoder<
  PocketSphinxDecoder, PocketSphinxDecoder
>

/// Flite as a voice for apps.
public typealias FliteSynthesisProvider = VoiceSynthesisProvider<FliteEngine>

extension DecoderRecognitionProvider where Decoder == PocketSphinxDecoder {
  /// PocketSphinx at the default microphone. Words that no dictionary has are pronounced as eSpeak NG says
  /// them; see `PocketSphinxConfiguration.withStandardPronunciations`.
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
  /// Flite at the default speakers.
  public convenience init(configuration: FliteConfiguration = .default) {
    self.init(engine: FliteEngine(), configuration: configuration, output: PortAudioSpeaker())
  }
}

extension SpeechTranscriber where Decoder == PocketSphinxDecoder {
  /// A transcriber with PocketSphinx, set for recordings.
  public init(locale: Locale = Locale(identifier: "en-US")) {
    self.init(configuration: PocketSphinxConfiguration(), locale: locale)
  }
}

extension SpeechSegmenterConfiguration {
  /// The usual manner, with an utterance's end after that many seconds of silence.
  init(silenceThreshold: TimeInterval?) {
    self.init()
    if let silenceThreshold { maximumSilence = .seconds(silenceThreshold) }
  }
}
