import SpeechCore

extension VoiceEntry {
  /// eSpeak NG: about 130 languages, offline.
  public static let espeak = VoiceEntry(
    "espeak", displayName: "eSpeak NG", features: [.ssml, .pitch, .fixedVoices],
    library: SystemLibrary("espeak-ng", package: "libespeak-ng1"),
    remedy: "Install the packages libespeak-ng1 and espeak-ng-data.",
    pronunciations: AnyPronunciationSource(EspeakPronunciations())
  ) { settings in
    var configuration = EspeakConfiguration(style: settings.style)
    configuration.interpretsSSML = settings.interpretsSSML
    return (EspeakEngine(), configuration)
  }
}
