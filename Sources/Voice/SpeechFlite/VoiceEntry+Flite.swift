import SpeechCore

extension VoiceEntry {
  /// Flite: four English voices, offline.
  public static let flite = VoiceEntry(
    "flite", displayName: "Flite", features: [.pitch, .fixedVoices],
    variants: FliteVoice.allCases.map(\.rawValue) + ["kal16"],
    library: SystemLibrary("flite", package: "libflite1"),
    remedy: "Install the package libflite1.",
    pronunciations: AnyPronunciationSource(FlitePronunciations())
  ) { settings in
    (FliteEngine(), FliteConfiguration(style: settings.style))
  }
}
