import SpeechKit

extension RecogniserEntry {
  /// Telephone tones, which need no model.
  static let tones = RecogniserEntry(
    "tones", of: ToneDecoder.self, displayName: "Telephone tones",
    remedy: "There is nothing to install."
  ) { _ in ToneDecoder.Configuration() }
}
