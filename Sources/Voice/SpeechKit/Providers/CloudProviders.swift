#if Cloud
import AIServices
import Foundation
import SpeechCloud

/// A provider that speaks with ElevenLabs.
public typealias ElevenLabsSynthesisProvider = VoiceSynthesisProvider<ElevenLabsProvider>

/// A provider that speaks with OpenAI, or with a server of its kind.
public typealias OpenAISynthesisProvider = VoiceSynthesisProvider<OpenAIVoice>

/// A provider that recognises speech with OpenAI, or with a server of its kind.
public typealias OpenAIRecognitionProvider = DecoderRecognitionProvider<OpenAITranscriptionDecoder>

extension VoiceSynthesisProvider where Engine == ElevenLabsProvider {
  /// Creates a provider that plays on the default speakers, with the key that is stored for
  /// ElevenLabs.
  public convenience init(
    service: ElevenLabsProvider = ElevenLabsProvider(),
    configuration: CloudVoiceConfiguration = .default
  ) {
    self.init(engine: service, configuration: configuration, output: PortAudioSpeaker())
  }
}

extension VoiceSynthesisProvider where Engine == OpenAIVoice {
  /// Creates a provider that plays on the default speakers, with the key that is stored for OpenAI.
  public convenience init(
    service: OpenAIProvider = OpenAIProvider(),
    configuration: CloudVoiceConfiguration = .default
  ) {
    self.init(
      engine: OpenAIVoice(service: service), configuration: configuration,
      output: PortAudioSpeaker())
  }
}

extension SpeechSynthesisEngine {
  /// Creates an engine that speaks with a service's voice: `SpeechSynthesisEngine(provider:
  /// ElevenLabsProvider())`.
  ///
  /// - Parameters:
  ///   - fallbackEnabled: true to have a local voice speak when the service fails.
  ///   - output: the output that it speaks on; the default speakers unless given.
  public convenience init(
    provider service: some CloudVoice, configuration: CloudVoiceConfiguration = .default,
    fallbackEnabled: Bool = true, output: any AudioOutput = PortAudioSpeaker()
  ) {
    self.init(
      provider: VoiceSynthesisProvider(
        engine: service, configuration: configuration, output: output),
      fallbackEnabled: fallbackEnabled, output: output)
  }
}

extension DecoderRecognitionProvider where Decoder == OpenAITranscriptionDecoder {
  /// Creates a provider at the default microphone, with the key that is stored for OpenAI.
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
