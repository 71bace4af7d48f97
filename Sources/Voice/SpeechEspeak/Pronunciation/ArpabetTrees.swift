/// Decision trees that say which phones of CMUdict a phoneme of eSpeak NG becomes: one for each phoneme,
/// asking for what is around it.
///
/// As text: `!` and a phoneme begin its tree. A tree is a question followed by the tree for yes and the one
/// for no, or an answer. A question is `?`, a letter for what is looked at, and the value that it has to
/// have. An answer is what the phoneme becomes, with the share of the examples in hundredths; the likeliest
/// first, phones joined by `+`, none written `-`.
///
/// | looked at | |
/// | --- | --- |
/// | `b`, `o`, `p` | the stress of the phoneme, of the one before, of the one behind |
/// | `c` to `h` | its letter; the letters 1 before, 1 behind, 2 before, 2 behind, 3 behind |
/// | `i` to `l` | the phonemes 1 before, 1 behind, 2 before, 2 behind |
/// | `m`, `n` | how many phonemes follow (4 for more), how many came before (3 for more) |
struct ArpabetTrees: Sendable {
  /// What a phoneme may become, the likeliest first.
  typealias Answer = [(phones: [String], share: Double)]

  private enum Node: Sendable {
    case question(UInt8, value: String, no: Int)
    case answer(Answer)
  }

  private var roots: [String: Int] = [:]
  private var nodes: [Node] = []

  static let englishTrees = ArpabetTrees(english)

  init(_ text: String) {
    var words = text.utf8.split { $0 == 0x20 || $0 == 0x0A }.makeIterator()
    while let word = words.next() {
      guard word.first == UInt8(ascii: "!") else { continue }
      roots[Self.string(word.dropFirst())] = nodes.count
      read(&words)
    }
  }

  private static func string(_ bytes: Substring.UTF8View) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// A tree, its branches before what is behind them.
  private mutating func read(_ words: inout IndexingIterator<[Substring.UTF8View]>) {
    guard let word = words.next() else { return }
    guard word.first == UInt8(ascii: "?"), let subject = word.dropFirst().first else {
      nodes.append(.answer(Self.answer(word)))
      return
    }
    let here = nodes.count
    let value = Self.string(word.dropFirst(2))
    nodes.append(.question(subject, value: value, no: 0))
    read(&words)
    nodes[here] = .question(subject, value: value, no: nodes.count)
    read(&words)
  }

  private static func answer(_ word: Substring.UTF8View) -> Answer {
    word.split(separator: UInt8(ascii: ",")).map { choice in
      let phones = choice.dropLast(2)
      let share = Double(string(choice.suffix(2))) ?? 0
      let isSilent = phones.elementsEqual([UInt8(ascii: "-")])
      return (
        isSilent ? [] : phones.split(separator: UInt8(ascii: "+")).map(string), share / 99
      )
    }
  }

  /// What the phoneme becomes; `nil` if there is no tree for it.
  func answer(for symbol: String, value: (_ subject: UInt8) -> String) -> Answer? {
    guard var place = roots[symbol] else { return nil }
    while place < nodes.count {
      switch nodes[place] {
      case .answer(let answer): return answer
      case .question(let subject, let wanted, let no):
        place = value(subject) == wanted ? place + 1 : no
      }
    }
    return nil
  }
}
