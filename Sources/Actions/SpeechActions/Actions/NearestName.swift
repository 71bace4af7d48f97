/// What somebody who mistyped a name is likely to have meant.
enum NearestName {
  /// The name among those that takes the fewest changes, if it takes few.
  static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().prefix(64))
    let found = names.map { ($0, distance(wanted, Array($0.lowercased().prefix(64)))) }
      .min { ($0.1, $0.0) < ($1.1, $1.0) }
    guard let found, found.1 <= max(1, min(wanted.count, found.0.count) / 3) else { return nil }
    return found.0
  }

  /// A sentence about it, to go behind another one; which names there are if none is near.
  static func advice(on name: String, among names: some Collection<String>) -> String {
    if let near = of(name, among: names) { return " Did you mean “\(near)”?" }
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(12).joined(separator: ", ")
    return " There are: \(shown)\(names.count > 12 ? ", …" : "")."
  }

  /// How many characters have to be put in, taken out, exchanged or swapped with their neighbour.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var before = [Int](repeating: 0, count: other.count + 1)
    var above = Array(0...other.count)
    for (row, left) in one.enumerated() {
      var current = [row + 1]
      for (column, right) in other.enumerated() {
        var best = min(
          above[column + 1] + 1, current[column] + 1, above[column] + (left == right ? 0 : 1))
        if row > 0, column > 0, left == other[column - 1], one[row - 1] == right {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      (before, above) = (above, current)
    }
    return above[other.count]
  }
}
