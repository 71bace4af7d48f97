import Foundation

/// Makes text from outside fit to be shown: short, on one line, and without the key.
enum Redaction {
  /// So many characters of the key in a row are taken for a piece of it.
  private static let revealing = 8

  static func shown(_ text: String, hiding secrets: [SecureString], limit: Int = 300) -> String {
    var shown = secrets.reduce(text) { hide($1, in: $0) }
    shown = String(
      String.UnicodeScalarView(
        shown.unicodeScalars.map { CharacterSet.controlCharacters.contains($0) ? " " : $0 }))
    shown = shown.split(separator: " ").joined(separator: " ")
    return shown.count > limit ? shown.prefix(limit) + "…" : shown
  }

  /// Masks every stretch of the text that is a piece of the key, also in base 64 and with percent signs.
  private static func hide(_ key: SecureString, in text: String) -> String {
    let plain = key.value
    let forms = [
      plain, Data(plain.utf8).base64EncodedString(),
      plain.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? plain,
    ]
    return forms.reduce(text) { mask(pieces: Array($1), in: Array($0)) }
  }

  private static func mask(pieces key: [Character], in text: [Character]) -> String {
    let width = min(revealing, key.count)
    guard width > 0, text.count >= width else { return String(text) }
    let windows = Set((0...key.count - width).map { String(key[$0..<$0 + width]) })
    var isHidden = [Bool](repeating: false, count: text.count)
    for start in 0...text.count - width
    where windows.contains(String(text[start..<start + width])) {
      for index in start..<start + width { isHidden[index] = true }
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
