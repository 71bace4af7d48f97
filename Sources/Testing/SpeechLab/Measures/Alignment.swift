/// The fewest changes that turn one sequence into another: spoken words into recognised ones, or
/// letters, or phones. Among equally short ways it is the one that keeps most elements, which is
/// also the choice of NIST's sclite unless that needs more changes.
///
/// ```swift
/// let alignment = Alignment(["turn", "on"], ["turn", "it", "off"])
/// alignment.errors   // 2
/// ```
public struct Alignment<Element: Hashable & Sendable>: Sendable, Hashable {
  /// One step of an alignment.
  public enum Step: Sendable, Hashable {
    /// The element is the same in both sequences.
    case same(Element)
    /// Another element was recognised.
    case replaced(Element, by: Element)
    /// The element was not recognised.
    case missing(Element)
    /// An element was recognised that was not spoken.
    case added(Element)

    /// The element of the reference; `nil` for an insertion.
    public var said: Element? {
      switch self {
      case .same(let element), .replaced(let element, _), .missing(let element): element
      case .added: nil
      }
    }

    /// The recognised element; `nil` for a deletion.
    public var heard: Element? {
      switch self {
      case .same(let element), .replaced(_, let element), .added(let element): element
      case .missing: nil
      }
    }
  }

  /// The steps in order.
  public let steps: [Step]
  /// The number of elements in the reference.
  public let count: Int

  /// Aligns a recognised sequence with its reference.
  public init(_ reference: [Element], _ heard: [Element]) {
    count = reference.count
    // Costs more than all replacements together, so that those decide only among equally short
    // ways.
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

  /// The number of elements that were replaced, missing or added.
  public var errors: Int {
    steps.reduce(0) { if case .same = $1 { $0 } else { $0 + 1 } }
  }

  /// Returns the smallest number of changes, without the steps.
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
