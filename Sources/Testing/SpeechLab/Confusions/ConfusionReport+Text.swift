extension ConfusionReport {
  /// The report as a table for a terminal.
  public var text: String {
    let part = isComplete ? "all" : "\(commands.count) of them"
    var text = """
      \(grammar): \(sentences) sentences, \(part) said \(conditions.count) times each
      understood: \(understood.percent)\n
      """
    text += "\n" + ReportText.table(levels.map(\.cells), indentedBy: 2)
    text += "\n" + ReportText.table(speakers.map(\.cells), indentedBy: 2)
    if harmful.isEmpty {
      text += "\nNo command was confused with one of another meaning.\n"
    } else {
      text += "\nConfused with something else:\n"
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
}

extension ConfusionReport.Share {
  /// The cells of a row.
  var cells: [String] { [name, understood.percent] }
}
