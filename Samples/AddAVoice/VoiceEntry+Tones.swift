import SpeechKit

extension VoiceEntry {
  /// Telephone tones, which need no data.
  static let tones = VoiceEntry(
    "tones", displayName: "Telephone tones", features: [.fixedVoices], variants: ["keypad"],
    remedy: "There is nothing to install."
  ) { settings in
    // A tone lasts 160 ms at the normal rate of 0.5, twice as long at 0, and half as long at 1.
    let pace = exp2(Double(settings.style.rate) * 2 - 1)
    let configuration = ToneVoice.Configuration(
      tone: .seconds(0.16 / pace), volume: 0.4 * Double(settings.style.volume))
    return (ToneVoice(), configuration)
  }
}
