/// What was said beside what was heard, word by word.
///
/// ```swift
/// let comparison = WordComparison(said: "turn on the light", heard: "turn it on the lights")
/// comparison.errorRate   // 0.5
/// print(comparison.picture)
/// // said   turn **  on the light
/// // heard  turn it  on the lights
/// //             +       ~
/// ```
public struct WordComparison: Sendable, Hashable {
  /// The steps from the one to the other.
  public let alignment: Alignment<String>

  /// Compares, but for what is to be overlooked.
  public init(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .usual
  ) {
    alignment = Alignment(normalisation.words(of: said), normalisation.words(of: heard))
  }

  /// How many words are the same.
  public var hits: Int { count { if case .same = $0 { true } else { false } } }
  /// How many are others.
  public var replaced: Int { count { if case .replaced = $0 { true } else { false } } }
  /// How many were not heard.
  public var missing: Int { count { if case .missing = $0 { true } else { false } } }
  /// How many were heard and not said.
  public var added: Int { count { if case .added = $0 { true } else { false } } }

  /// Errors by the words that were said; of nothing, 0 if nothing was heard and else 1 for each word.
  public var errorRate: Double {
    alignment.count == 0
      ? Double(alignment.errors) : Double(alignment.errors) / Double(alignment.count)
  }

  /// Both in two lines, words below each other, and a third that marks where they part: `~` another word, `-`
  /// not heard, `+` not said.
  public var picture: String {
    var rows = ["said  ", "heard ", "      "]
    for step in alignment.steps {
      let (said, heard, mark): (String, String, Character)
      switch step {
      case .same(let word): (said, heard, mark) = (word, word, " ")
      case .replaced(let word, let other): (said, heard, mark) = (word, other, "~")
      case .missing(let word):
        (said, heard, mark) = (word, String(repeating: "*", count: word.count), "-")
      case .added(let word):
        (said, heard, mark) = (String(repeating: "*", count: word.count), word, "+")
      }
      let width = max(said.count, heard.count)
      rows[0] += " " + said.padded(to: width)
      rows[1] += " " + heard.padded(to: width)
      rows[2] += " " + String(repeating: mark, count: width)
    }
    return rows.map { row in
      var row = row
      while row.last == " " { row.removeLast() }
      return row
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func count(_ isCounted: (Alignment<String>.Step) -> Bool) -> Int {
    alignment.steps.count(where: isCounted)
  }
}

extension String {
  /// With blanks behind it, so many characters wide.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
