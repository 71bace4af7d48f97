/// A comparison of spoken and recognised text, word by word.
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
  /// The steps from the spoken to the recognised words.
  public let alignment: Alignment<String>

  /// Compares two texts after normalisation.
  public init(
    said: String, heard: String, overlooking normalisation: TextNormalisation = .caseInsensitive
  ) {
    alignment = Alignment(normalisation.words(of: said), normalisation.words(of: heard))
  }

  /// The number of words that are the same.
  public var hits: Int { count { if case .same = $0 { true } else { false } } }
  /// The number of words that were replaced.
  public var replaced: Int { count { if case .replaced = $0 { true } else { false } } }
  /// The number of words that were not recognised.
  public var missing: Int { count { if case .missing = $0 { true } else { false } } }
  /// The number of words that were recognised but not spoken.
  public var added: Int { count { if case .added = $0 { true } else { false } } }

  /// The errors divided by the spoken words. Without spoken words, 0 if nothing was recognised and
  /// otherwise 1 for each word.
  public var errorRate: Double {
    alignment.count == 0
      ? Double(alignment.errors) : Double(alignment.errors) / Double(alignment.count)
  }

  /// Both texts in two lines, with aligned words, and a third line that marks the differences: `~`
  /// replaced, `-` missing, `+` added.
  public var picture: String {
    var rows = ["said  ", "heard ", "      "]
    for step in alignment.steps {
      let mark: Character =
        switch step {
        case .same: " "
        case .replaced: "~"
        case .missing: "-"
        case .added: "+"
        }
      let width = max(step.said?.count ?? 0, step.heard?.count ?? 0)
      let gap = String(repeating: "*", count: width)
      rows[0] += " " + (step.said ?? gap).padded(to: width)
      rows[1] += " " + (step.heard ?? gap).padded(to: width)
      rows[2] += " " + String(repeating: mark, count: width)
    }
    return rows.map(\.withoutTrailingBlanks).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func count(_ isCounted: (Alignment<String>.Step) -> Bool) -> Int {
    alignment.steps.count(where: isCounted)
  }
}
