/// Letters as dots and dashes, with a blank between letters and a slash between words.
enum MorseCode {
  private static let letters: [Character: String] = [
    "a": ".-", "b": "-...", "c": "-.-.", "d": "-..", "e": ".", "f": "..-.", "g": "--.",
    "h": "....", "i": "..", "j": ".---", "k": "-.-", "l": ".-..", "m": "--", "n": "-.",
    "o": "---", "p": ".--.", "q": "--.-", "r": ".-.", "s": "...", "t": "-", "u": "..-",
    "v": "...-", "w": ".--", "x": "-..-", "y": "-.--", "z": "--..",
  ]

  static func signs(of text: String) -> String {
    text.lowercased().split(separator: " ")
      .map { word in word.compactMap { letters[$0] }.joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: "/")
  }

  static func text(of signs: String) -> String {
    signs.split(separator: "/")
      .map { word in
        String(
          word.split(separator: " ").map { sign in
            letters.first { $0.value == sign }?.key ?? "?"
          })
      }
      .joined(separator: " ")
  }
}
