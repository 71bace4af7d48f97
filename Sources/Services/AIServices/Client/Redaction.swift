import Foundation

/// Prepares external text for messages: short, on one line, and without the key.
enum Redaction {
  static func shown(_ text: String, hiding secrets: [SecureString], limit: Int = 300) -> String {
    var shown = SecretMask(secrets).masked(text)
    shown = String(
      String.UnicodeScalarView(
        shown.unicodeScalars.map { CharacterSet.controlCharacters.contains($0) ? " " : $0 }))
    shown = shown.split(separator: " ").joined(separator: " ")
    return shown.count > limit ? shown.prefix(limit) + "…" : shown
  }
}
