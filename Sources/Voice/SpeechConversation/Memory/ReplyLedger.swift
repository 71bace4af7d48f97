/// The said and heard parts of a reply, sentence by sentence.
struct ReplyLedger: Sendable, Equatable {
  /// A sentence of the reply, with the blanks after it.
  struct Sentence: Sendable, Equatable {
    var text: String
    /// The end of the heard part, in Unicode scalars.
    var heardEnd = 0
  }

  private(set) var sentences: [Sentence] = []

  /// Adds a sentence and returns its number.
  mutating func add(_ text: String) -> Int {
    sentences.append(Sentence(text: text))
    return sentences.count - 1
  }

  mutating func hear(_ sentence: Int, until end: Int) {
    let length = sentences[sentence].text.unicodeScalars.count
    sentences[sentence].heardEnd = max(sentences[sentence].heardEnd, min(end, length))
  }

  mutating func hearAll(_ sentence: Int) {
    sentences[sentence].heardEnd = sentences[sentence].text.unicodeScalars.count
  }

  /// The heard text, without passages that were skipped.
  var heard: String {
    trimmed(sentences.map { $0.text.scalars(0..<$0.heardEnd) }.joined())
  }

  /// The text that was not heard.
  var unheard: String {
    trimmed(
      sentences.map { $0.text.scalars($0.heardEnd..<$0.text.unicodeScalars.count) }.joined())
  }

  /// Returns the start of a sentence in the whole text.
  func start(of sentence: Int) -> Int {
    sentences[..<sentence].reduce(0) { $0 + $1.text.unicodeScalars.count }
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    return String(text)
  }
}

extension String {
  /// Returns a part of the text, counted in Unicode scalars.
  func scalars(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: unicodeScalars.dropFirst(range.lowerBound).prefix(range.count))
    return String(view)
  }
}
