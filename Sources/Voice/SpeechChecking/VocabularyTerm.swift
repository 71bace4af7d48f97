import SpeechCore

/// A term of the user's vocabulary with its pronunciations.
struct VocabularyTerm {
  let text: String
  let pronunciations: [[String]]

  /// The maximum number of combinations of the pronunciations of its words.
  private static let mostPronunciations = 8

  init(_ text: String, _ speller: WordSpeller) throws(SpeechRecognitionError) {
    self.text = text
    var all: [[String]] = [[]]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let ways = speller.pronunciations(of: String(word))
      all = Array(
        all.flatMap { before in ways.map { before + $0 } }.prefix(Self.mostPronunciations))
    }
    pronunciations = all.filter { !$0.isEmpty }
    guard !pronunciations.isEmpty else {
      throw .recognitionFailed(
        "The pronunciation of “\(text)” in the vocabulary is unknown. Set it with "
          + "`speechkit words set`, or remove the term.")
    }
  }
}
