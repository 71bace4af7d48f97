import SpeechText
import Testing

struct SpeechPiecesTests {
  private func pieces(
    _ text: String, firstLimit: Int = 30, limit: Int = 40, language: String = "en"
  ) -> [SpeechPiece] {
    var pieces = SpeechPieces(
      PlainTextTokens(text), filter: SpeakableTextFilter(writing: .of(language: language)),
      firstLimit: firstLimit, limit: limit)
    var all: [SpeechPiece] = []
    while let piece = pieces.next() { all.append(piece) }
    return all
  }

  @Test func `a short text is one piece`() {
    let all = pieces("One sentence. And another.")
    #expect(all.map(\.text.string) == ["One sentence. And another."])
    #expect(all.first?.ending == .boundary)
  }

  @Test func `an empty text has no pieces`() {
    #expect(pieces("").isEmpty)
  }

  @Test func `long texts are cut after sentences`() {
    let all = pieces(
      "The first sentence is here. The second one is next. Then there is a third.")
    #expect(
      all.map(\.text.string) == [
        "The first sentence is here. ", "The second one is next. ", "Then there is a third.",
      ])
    #expect(all.map(\.continuesSentence) == [false, false, false])
  }

  @Test func `long sentences are cut after clauses, long clauses between words`() {
    let all = pieces(
      "There was a time, long ago and far away in the mountains of the distant north.")
    #expect(
      all.map(\.text.string) == [
        "There was a time, ", "long ago and far away in the mountains ", "of the distant north.",
      ])
    #expect(all.map(\.ending) == [.clause, .word, .boundary])
    #expect(all.map(\.continuesSentence) == [false, true, true])
  }

  @Test(arguments: [
    "He met Dr. Jones and Prof. Brown of the U.S. Army.",
    "On page 3. Then it was said e.g. Some people go away.",
    "He said so. and then the lower case word continued it.",
    "It was seen by A. B. Smith of No. 10 and by others.",
    "Herr Dr. Meier und Fr. Schulz kamen ca. Mitternacht.",
  ])
  func `dots of abbreviations and numbers do not end sentences`(text: String) {
    let kinds = pieces(text, firstLimit: 45, limit: 45).dropLast().map(\.ending)
    #expect(kinds == [.word])
  }

  @Test(arguments: [
    ("That is so. He went on.", "That is so. "), ("I saw you. Then I went.", "I saw you. "),
    ("We met Anna. She was there.", "We met Anna. "), ("He said no. Nobody came.", "He said no. "),
  ])
  func `short words and names end sentences`(text: String, first: String) {
    #expect(pieces(text, firstLimit: 18, limit: 40).first?.text.string == first)
  }

  @Test(arguments: [
    ("これは最初の文です。これは二番目の文です。", "ja", "これは最初の文です。"),
    ("यह पहला वाक्य है। यह दूसरा वाक्य है।", "hi", "यह पहला वाक्य है। "),
    ("Are you there? Yes I am.", "en", "Are you there? "),
    ("\"Are you there?\" she said to him.", "en", "\"Are you there?"),
  ])
  func `sentences end in many scripts`(text: String, language: String, first: String) {
    #expect(pieces(text, firstLimit: 18, limit: 40, language: language).first?.text.string == first)
  }

  @Test func `paragraphs end pieces with their blank line`() {
    let all = pieces("Heading of this text\n\nAnd then it begins to be long")
    #expect(all.first?.text.string == "Heading of this text\n\n")
  }

  @Test func `the pieces and their origins cover the whole text`() {
    let sentence = "Some words, and others; “quoted ones” — Mr. Smith said: 3.5 is it! "
    let text = String(repeating: sentence, count: 50)
    for limit in [10, 33, 64, 500] {
      let all = pieces(text, firstLimit: limit, limit: limit)
      #expect(all.map(\.text.string).joined() == text)
      #expect(all.allSatisfy { $0.text.count <= limit })
      #expect(all.flatMap(\.text.origins).map(\.lowerBound) == Array(0..<text.unicodeScalars.count))
    }
  }

  @Test func `nothing is read before it is needed`() {
    struct Endless: IteratorProtocol {
      var read = 0
      mutating func next() -> SpeechToken? {
        read += 1
        return .scalar(read % 7 == 0 ? " " : "a", origin: read..<read + 1)
      }
    }
    var pieces = SpeechPieces(Endless(), filter: SpeakableTextFilter(writing: .latin))
    for _ in 0..<5 { #expect(pieces.next()?.text.count ?? 0 > 100) }
  }

  @Test func `anchors and boundaries stay where they were`() {
    struct Tokens: IteratorProtocol {
      var tokens: [SpeechToken]
      mutating func next() -> SpeechToken? { tokens.isEmpty ? nil : tokens.removeFirst() }
    }
    let tokens: [SpeechToken] = [
      .anchor(1), .scalar("a", origin: 5..<6), .anchor(2), .scalar("b", origin: 9..<10),
      .boundary(3), .scalar("c", origin: 20..<21), .anchor(4),
    ]
    var pieces = SpeechPieces(
      Tokens(tokens: tokens), filter: SpeakableTextFilter(writing: .latin))
    let first = pieces.next()
    #expect(first?.text.string == "ab")
    #expect(first?.text.anchors.map(\.index) == [0, 1])
    #expect(first?.text.anchors.map(\.id) == [1, 2])
    #expect(first?.boundary == 3)
    let second = pieces.next()
    #expect(second?.text.string == "c")
    #expect(second?.text.anchors.map(\.id) == [4])
    #expect(second?.text.origin(of: 0..<1) == 20..<21)
    #expect(pieces.next() == nil)
  }

  @Test func `any number of language changes without a word is handled`() {
    struct Changes: IteratorProtocol {
      var left = 200_000
      mutating func next() -> SpeechToken? {
        left -= 1
        if left == 0 { return .scalar("a", origin: 0..<1) }
        return left > 0 ? .writing(left.isMultiple(of: 2) ? .latin : .of(language: "ru")) : nil
      }
    }
    var pieces = SpeechPieces(Changes(), filter: SpeakableTextFilter(writing: .latin))
    var count = 0
    while pieces.next() != nil { count += 1 }
    #expect(count == 1)
  }
}
