import SpeechKit

extension VoiceEntry {
  /// Telephone tones, which need nothing but arithmetic.
  static let tones = VoiceEntry(
    "tones", displayName: "Telephone tones", features: [.fixedVoices], variants: ["keypad"],
    remedy: "There is nothing to install."
  ) { settings in
    // At the normal rate of 0.5 a tone lasts 160 ms; at 0 twice, at 1 half as long.
    let pace = exp2(Double(settings.style.rate) * 2 - 1)
    let configuration = ToneVoice.Configuration(
      tone: .seconds(0.16 / pace), volume: 0.4 * Double(settings.style.volume))
    return (ToneVoice(), configuration)
  }
}
