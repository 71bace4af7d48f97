/// Columns of text, each as wide as its widest entry.
package struct TextTable {
  /// The lines, each with its line break; empty without rows.
  package let text: String

  package init(_ rows: [[String]], heading: [String]? = nil) {
    let all = (heading.map { rows.isEmpty ? [] : [$0] } ?? []) + rows
    var widths: [Int] = []
    for row in all {
      for (column, entry) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], entry.count)
      }
    }
    text = all.map { row in
      // Without spaces at the end of a line.
      let row = row.prefix((row.lastIndex { !$0.isEmpty } ?? -1) + 1)
      let entries = row.enumerated().map { column, entry in
        column == row.count - 1
          ? entry : entry + String(repeating: " ", count: widths[column] - entry.count)
      }
      return entries.joined(separator: "  ") + "\n"
    }.joined()
  }
}
