extension ConfusionReport {
  /// The report as a table for a terminal.
  public var text: String {
    let part = isComplete ? "all" : "\(commands.count) of them"
    var text = """
      \(grammar): \(sentences) sentences, \(part) said \(conditions.count) times each
      understood: \(understood.percent)\n
      """
    text += "\n" + Self.table(levels.map { [$0.name, $0.understood.percent] })
    text += "\n" + Self.table(speakers.map { [$0.name, $0.understood.percent] })
    if harmful.isEmpty {
      text += "\nNo command was taken for another one with another meaning.\n"
    } else {
      text += "\nTaken for something else:\n"
      for confusion in harmful.prefix(Self.most) {
        let count = "\(confusion.count.count) of \(confusion.count.total)"
        let heard = confusion.heard.isEmpty ? "(nothing)" : confusion.heard
        text += "\n  \(count)  \(confusion.said)\n"
        text +=
          "  \(String(repeating: " ", count: count.count))→ \(heard)\n    \(confusion.advice)\n"
      }
      if harmful.count > Self.most { text += "\n… and \(harmful.count - Self.most) others.\n" }
    }
    let harmless = confusions.count - harmful.count
    if harmless > 0 {
      let what = harmless == 1 ? "1 other confusion changes" : "\(harmless) other confusions change"
      text += "\n\(what) nothing: the sentences mean the same.\n"
    }
    return text
  }

  private static let most = 30

  private static func table(_ rows: [[String]]) -> String {
    let width = rows.map { $0[0].count }.max() ?? 0
    return rows.map { row in
      "  \(row[0])\(String(repeating: " ", count: width - row[0].count))  \(row[1])\n"
    }.joined()
  }
}

extension Proportion {
  /// The share with its interval: “90.0 % (69.9 to 97.2), 18 of 20”.
  var percent: String {
    let number = FloatingPointText.tenth
    return "\(number(share)) % (\(number(interval.lowerBound)) to \(number(interval.upperBound))), "
      + "\(count) of \(total)"
  }
}

/// Formats numbers for readers.
enum FloatingPointText {
  /// Returns a share in percent, with one decimal.
  static func tenth(_ share: Double) -> String { String(format: "%.1f", share * 100) }
}
