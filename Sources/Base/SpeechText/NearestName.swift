/// Finds the name that a mistyped one most likely stands for.
package enum NearestName {
  /// The nearest of the names, or `nil` if none is near enough to be meant.
  ///
  /// The beginning of a single name counts as that name. Of several names at the same distance, the
  /// first in alphabetical order is taken.
  package static func of(_ text: String, among names: some Sequence<String>) -> String? {
    let wanted = text.lowercased()
    let names = Array(names)
    let ranked = names.map { (distance: distance(wanted, $0.lowercased()), name: $0) }
    guard let best = ranked.min(by: <) else { return nil }
    if best.distance <= max(1, wanted.filter(\.isLetter).count / 3) { return best.name }
    let begun = names.filter { wanted.count >= 3 && $0.lowercased().hasPrefix(wanted) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// A sentence that suggests the nearest name, after a blank; empty if none is near.
  package static func suggestion(for text: String, among names: some Sequence<String>) -> String {
    of(text, among: names).map { " Did you mean “\($0)”?" } ?? ""
  }

  /// A sentence that suggests the nearest name, or lists the names if none is near. It begins with
  /// a blank, to follow another sentence.
  package static func advice(on name: String, among names: some Collection<String>) -> String {
    if let near = of(name, among: names) { return " Did you mean “\(near)”?" }
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(12).joined(separator: ", ")
    return " There are: \(shown)\(names.count > 12 ? ", …" : "")."
  }

  /// The number of characters to change, add, remove or swap with their neighbour.
  ///
  /// Only the first 64 characters of each text are compared, because the time grows with the
  /// product of the lengths.
  package static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one.prefix(64))
    let other = Array(other.prefix(64))
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
