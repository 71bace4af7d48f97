/// Finds what somebody probably meant.
package enum NearestName {
  /// The name that differs least, if it differs little enough to be meant.
  package static func of(_ text: String, among names: [String]) -> String? {
    let wanted = text.lowercased()
    let ranked = names.map { (name: $0, distance: distance(wanted, $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= max(1, wanted.filter(\.isLetter).count / 3) { return best.name }
    // Half a name is meant as well, if it is the beginning of one only.
    let begun = names.filter { wanted.count >= 3 && $0.lowercased().hasPrefix(wanted) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// How many letters have to be changed, added, removed or swapped with their neighbour.
  package static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one)
    let other = Array(other)
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var current = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var best = min(current[column], last[column + 1]) + 1
        best = min(best, last[column] + (letter == otherLetter ? 0 : 1))
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
