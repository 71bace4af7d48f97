/// Repairs the description of a voice, for which release 1.51 of eSpeak NG would use freed memory.
///
/// The library derives a voice's alphabet from the first language in the file. If it does not know
/// that language, and the alphabet belongs to another language, it treats each word as foreign to
/// the voice, and frees the other language when a letter is to be spelled. The file therefore has
/// to name the language of its dictionary first, and to add it if it is missing.
enum EspeakVoiceFile {
  /// The languages to which the library assigns words in their alphabets.
  private static let ownersOfAlphabets: Set<Substring> = [
    "el", "hy", "hi", "bn", "pa", "gu", "ta", "kn", "ml", "si", "ka", "ko",
  ]

  /// Languages that the library does not know, with the languages to which it assigns their
  /// alphabets.
  private static let unknownLanguages: [Substring: String] = ["kok": "hi"]

  /// Returns the repaired description; `nil` if no repair is necessary.
  static func repaired(_ text: String) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let values = lines.map { $0.split(separator: " ") }
    let languages = values.indices.filter { values[$0].count > 1 && values[$0][0] == "language" }
    if let first = languages.first, let owner = unknownLanguages[values[first][1]] {
      // Last in the order of preference, so that a request for the other language does not select
      // it.
      let language = values[first][1]
      lines.insert("language \(owner)-\(language) 20", at: first)
      lines += ["phonemes \(language)", "dictionary \(language)", ""]
      return lines.joined(separator: "\n")
    }
    guard let dictionary = values.first(where: { $0.count > 1 && $0[0] == "dictionary" })?[1],
      ownersOfAlphabets.contains(dictionary), let first = languages.first,
      let named = languages.first(where: {
        values[$0][1].split(separator: "-").first == dictionary
      }),
      named != first
    else { return nil }
    lines.insert(lines.remove(at: named), at: first)
    return lines.joined(separator: "\n")
  }
}
