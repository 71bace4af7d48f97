#if Espeak
/// A provider that speaks with eSpeak NG.
public typealias EspeakSynthesisProvider = VoiceSynthesisProvider<EspeakEngine>

extension VoiceSynthesisProvider where Engine == EspeakEngine {
  /// Creates a provider that plays on the default speakers.
  public convenience init(configuration: EspeakConfiguration = .default) {
    self.init(
      engine: EspeakEngine(), configuration: configuration, output: PortAudioSpeaker())
  }
}
#endif
