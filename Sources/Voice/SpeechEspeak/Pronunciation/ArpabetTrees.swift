import CArpabetTrees

/// Decision trees that map phonemes of eSpeak NG to phones of CMUdict: one tree for each phoneme,
/// which asks for its context.
///
/// In the text form, `!` and a phoneme start a tree; before the first is the licence. A tree is a
/// question followed by the tree for yes and the tree for no, or an answer. A question is `?`, a
/// letter for the feature, and its value. An answer lists the phones with their share of the
/// examples in hundredths, in descending order: phones are joined by `+`, and none is written `-`.
///
/// | feature | |
/// | --- | --- |
/// | `b`, `o`, `p` | the stress of the phoneme, of the previous one, of the next one |
/// | `c` to `h` | its letter; the letters 1 before, 1 after, 2 before, 2 after, 3 after |
/// | `i` to `l` | the phonemes 1 before, 1 after, 2 before, 2 after |
/// | `m`, `n` | the number of phonemes after it (4 for more) and before it (3 for more) |
struct ArpabetTrees: Sendable {
  /// The possible phones for a phoneme, in descending order of their share.
  typealias Answer = [(phones: [String], share: Double)]

  private enum Node: Sendable {
    case question(UInt8, value: String, no: Int)
    case answer(Answer)
  }

  private var roots: [String: Int] = [:]
  private var nodes: [Node] = []

  static let english = ArpabetTrees(String(cString: arpabet_trees_english()))

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

  /// Reads a tree: each question, then its branches.
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

  /// Returns the answer for a phoneme; `nil` if there is no tree for it.
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
