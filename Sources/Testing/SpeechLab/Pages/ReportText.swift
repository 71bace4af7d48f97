/// Parts of reports for a terminal.
enum ReportText {
  /// Returns columns of text, each as wide as its widest cell, without trailing blanks.
  static func table(_ rows: [[String]], indentedBy blanks: Int = 0) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return String(repeating: " ", count: blanks) + cells.withoutTrailingBlanks + "\n"
    }.joined()
  }
}

extension String {
  /// Returns the text padded with blanks to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}
