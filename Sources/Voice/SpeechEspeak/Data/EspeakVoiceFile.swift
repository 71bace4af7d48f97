/// Mends the description of a voice where release 1.51 of eSpeak NG would come to harm with it.
///
/// The library takes its idea of a voice's alphabet from the first language that the file names. Where
/// it does not know that one, and the alphabet has a language of its own, each word is left to that as a
/// foreign one is, and the language is freed when a letter is to be spelled. So the dictionary's own
/// language has to be named first, and where that is another one, it has to be added.
enum EspeakVoiceFile {
  /// The languages to which the library leaves what is written in their alphabets.
  private static let ownersOfAlphabets: Set<Substring> = [
    "el", "hy", "hi", "bn", "pa", "gu", "ta", "kn", "ml", "si", "ka", "ko",
  ]

  /// Languages that the library does not know, with those to which it leaves their alphabets.
  private static let unknownLanguages: [Substring: String] = ["kok": "hi"]

  /// The description as it should be; `nil` where it is so already.
  static func mended(_ text: String) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let values = lines.map { $0.split(separator: " ") }
    let languages = values.indices.filter { values[$0].count > 1 && values[$0][0] == "language" }
    if let first = languages.first, let owner = unknownLanguages[values[first][1]] {
      // The last in the order of preference, so that nobody who asks for the other language gets it.
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
