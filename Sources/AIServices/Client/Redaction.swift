import Foundation

/// Makes text from outside fit to be shown: short, on one line, and without the key.
enum Redaction {
  /// So many characters of the key in a row are taken for a piece of it.
  private static let revealing = 8

  static func shown(_ text: String, hiding secrets: [SecureString], limit: Int = 300) -> String {
    var shown = masked(text, secrets.flatMap(forms))
    shown = String(
      String.UnicodeScalarView(
        shown.unicodeScalars.map { CharacterSet.controlCharacters.contains($0) ? " " : $0 }))
    shown = shown.split(separator: " ").joined(separator: " ")
    return shown.count > limit ? shown.prefix(limit) + "…" : shown
  }

  /// The key as it is, in base 64, and with percent signs.
  private static func forms(of key: SecureString) -> [[Character]] {
    let plain = key.value
    return [
      plain, Data(plain.utf8).base64EncodedString(),
      plain.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? plain,
    ].map(Array.init)
  }

  /// The text with a mask in the place of every stretch that is a piece of one of the keys.
  private static func masked(_ text: String, _ keys: [[Character]]) -> String {
    let text = Array(text)
    var isHidden = [Bool](repeating: false, count: text.count)
    for key in keys {
      let width = min(revealing, key.count)
      guard width > 0, text.count >= width else { continue }
      let pieces = Set((0...key.count - width).map { key[$0..<$0 + width] })
      for start in 0...text.count - width where pieces.contains(text[start..<start + width]) {
        for index in start..<start + width { isHidden[index] = true }
      }
    }
    var result = ""
    for (index, character) in text.enumerated() {
      if !isHidden[index] {
        result.append(character)
      } else if index == 0 || !isHidden[index - 1] {
        result += SecureString.mask
      }
    }
    return result
  }
}
