/// N-grams as in a file: in any order, and perhaps without the shorter ones that they contain.
struct NGramRows {
  struct Row {
    var key: NGramKey
    var logProbability: Float
    var backOff: Float
  }

  var words: [String]
  /// The rows by length.
  var rows: [[Row]]

  /// Sorts the rows; returns an n-gram that occurs twice, with its length.
  mutating func sort() -> (length: Int, key: NGramKey)? {
    for index in rows.indices {
      rows[index].sort { $0.key < $1.key }
      for place in rows[index].indices.dropFirst()
      where rows[index][place].key == rows[index][place - 1].key {
        return (index + 1, rows[index][place].key)
      }
    }
    return nil
  }

  /// The model of the sorted rows, with all parts of each n-gram.
  func model() -> LanguageModel {
    var rows = rows
    // The longest first, because added n-grams need their own parts.
    for index in stride(from: rows.count - 1, to: 1, by: -1) {
      let needed =
        rows[index].map(\.key.prefix) + rows[index].map { $0.key.suffix(of: index + 1) }
      rows[index - 1] = Self.complete(rows[index - 1], with: needed.sorted())
    }
    var levels: [NGramLevel] = []
    for (index, level) in rows.enumerated() {
      levels.append(
        NGramLevel(
          keys: level.map(\.key), logProbabilities: level.map(\.logProbability),
          backOffs: level.map(\.backOff)))
      guard index > 0 else { continue }
      for place in level.indices where level[place].logProbability.isNaN {
        let key = level[place].key
        let context = levels[index - 1].place(of: key.prefix)
        let shorter = levels[index - 1].place(of: key.suffix(of: index + 1))
        let sum =
          (context.map { levels[index - 1].backOffs[$0] } ?? 0)
          + (shorter.map { levels[index - 1].logProbabilities[$0] } ?? NGramLevel.never)
        levels[index].logProbabilities[place] = max(sum, NGramLevel.never)
      }
    }
    return LanguageModel(words: words, levels: levels.dropLastEmpty())
  }

  /// Adds missing rows.
  ///
  /// - Parameter needed: the keys that have to exist, in ascending order.
  private static func complete(_ rows: [Row], with needed: [NGramKey]) -> [Row] {
    var missing: [Row] = []
    var place = 0
    for key in needed where missing.last?.key != key {
      while place < rows.count, rows[place].key < key { place += 1 }
      if place == rows.count || rows[place].key != key {
        missing.append(Row(key: key, logProbability: .nan, backOff: 0))
      }
    }
    guard !missing.isEmpty else { return rows }
    return (rows + missing).sorted { $0.key < $1.key }
  }
}
