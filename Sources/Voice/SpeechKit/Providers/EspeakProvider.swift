#if Espeak
/// eSpeak NG as a voice for apps.
public typealias EspeakSynthesisProvider = VoiceSynthesisProvider<EspeakEngine>

extension VoiceSynthesisProvider where Engine == EspeakEngine {
  /// eSpeak NG at the default speakers.
  public convenience init(configuration: EspeakConfiguration = .default) {
    self.init(
      engine: EspeakEngine(), configuration: configuration, output: PortAudioSpeaker())
  }
}
#endif
