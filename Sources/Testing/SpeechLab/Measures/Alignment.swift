/// How one sequence becomes another with the fewest changes: the words that were said and those that were
/// heard, or letters, or phones. Of several ways with as few changes the one in which most elements stay the
/// same, which is the way that NIST's sclite goes wherever it needs no more changes.
///
/// ```swift
/// let alignment = Alignment(["turn", "on"], ["turn", "it", "off"])
/// alignment.errors   // 2
/// ```
public struct Alignment<Element: Hashable & Sendable>: Sendable, Hashable {
  /// One step from the one to the other.
  public enum Step: Sendable, Hashable {
    /// The same in both.
    case same(Element)
    /// Another one was heard.
    case replaced(Element, by: Element)
    /// It was not heard.
    case missing(Element)
    /// It was heard and not said.
    case added(Element)
  }

  /// The steps from the beginning to the end.
  public let steps: [Step]
  /// How many elements the reference has.
  public let count: Int

  /// Aligns what was heard with the reference.
  public init(_ reference: [Element], _ heard: [Element]) {
    count = reference.count
    // Dearer than all replacements together, so that these decide among ways with as many changes only.
    let change = min(reference.count, heard.count) + 1
    let rows = Self.rows(reference, heard, change: change)
    var steps: [Step] = []
    var (row, column) = (reference.count, heard.count)
    while row > 0 || column > 0 {
      let cost = rows[row][column]
      if row > 0, column > 0 {
        let isSame = reference[row - 1] == heard[column - 1]
        if cost == rows[row - 1][column - 1] + (isSame ? 0 : change + 1) {
          row -= 1
          column -= 1
          steps.append(
            isSame ? .same(reference[row]) : .replaced(reference[row], by: heard[column]))
          continue
        }
      }
      if row > 0, cost == rows[row - 1][column] + change {
        row -= 1
        steps.append(.missing(reference[row]))
      } else {
        column -= 1
        steps.append(.added(heard[column]))
      }
    }
    self.steps = steps.reversed()
  }

  /// How many elements were replaced, missing or added.
  public var errors: Int {
    steps.reduce(0) { if case .same = $1 { $0 } else { $0 + 1 } }
  }

  /// The least number of elements to replace, leave out or put in, without the steps.
  public static func distance(_ reference: [Element], _ heard: [Element]) -> Int {
    var row = Array(0...heard.count)
    for element in reference {
      row = nextRow(after: row, element, heard, change: 1, replacement: 1)
    }
    return row[heard.count]
  }

  private static func rows(
    _ reference: [Element], _ heard: [Element], change: Int
  ) -> [[Int]] {
    var rows = [(0...heard.count).map { $0 * change }]
    for (index, element) in reference.enumerated() {
      rows.append(
        nextRow(after: rows[index], element, heard, change: change, replacement: change + 1))
    }
    return rows
  }

  private static func nextRow(
    after row: [Int], _ element: Element, _ heard: [Element], change: Int, replacement: Int
  ) -> [Int] {
    var next = [row[0] + change]
    next.reserveCapacity(row.count)
    for (column, other) in heard.enumerated() {
      let replaced = row[column] + (element == other ? 0 : replacement)
      next.append(min(replaced, row[column + 1] + change, next[column] + change))
    }
    return next
  }
}
