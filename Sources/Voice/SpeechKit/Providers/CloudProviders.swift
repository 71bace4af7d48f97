#if Cloud
import AIServices
import Foundation
import SpeechCloud

/// ElevenLabs as a voice for apps.
public typealias ElevenLabsSynthesisProvider = VoiceSynthesisProvider<ElevenLabsProvider>

/// OpenAI, or a server that speaks its language, as a voice for apps.
public typealias OpenAISynthesisProvider = VoiceSynthesisProvider<OpenAITTSProvider>

/// OpenAI, or a server that speaks its language, as a recogniser for apps.
public typealias OpenAIRecognitionProvider = DecoderRecognitionProvider<OpenAITranscriptionDecoder>

extension VoiceSynthesisProvider where Engine == ElevenLabsProvider {
  /// ElevenLabs at the default speakers, with the key that is stored for it.
  public convenience init(
    service: ElevenLabsProvider = ElevenLabsProvider(),
    configuration: CloudVoiceConfiguration = .default
  ) {
    self.init(engine: service, configuration: configuration, output: PortAudioSpeaker())
  }
}

extension VoiceSynthesisProvider where Engine == OpenAITTSProvider {
  /// OpenAI at the default speakers, with the key that is stored for it.
  public convenience init(
    service: OpenAIProvider = OpenAIProvider(),
    configuration: CloudVoiceConfiguration = .default
  ) {
    self.init(
      engine: OpenAITTSProvider(service: service), configuration: configuration,
      output: PortAudioSpeaker())
  }
}

extension DecoderRecognitionProvider where Decoder == OpenAITranscriptionDecoder {
  /// OpenAI at the default microphone, with the key that is stored for it.
  ///
  /// - Parameter silenceThreshold: the silence in seconds that ends an utterance.
  public convenience init(
    configuration: OpenAITranscriptionDecoder.Configuration = .init(),
    silenceThreshold: TimeInterval? = nil
  ) {
    self.init(
      configuration: configuration, input: PortAudioMicrophone(),
      segmenter: SpeechSegmenterConfiguration(silenceThreshold: silenceThreshold))
  }
}
#endif
