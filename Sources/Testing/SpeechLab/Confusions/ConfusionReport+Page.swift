extension ConfusionReport {
  /// The report as a self-contained HTML page without scripts.
  public var html: String {
    var body = summary
    if harmful.isEmpty {
      body += "<p>No command was confused with one of another meaning.</p>\n"
    } else {
      body += heatMap + details
    }
    body += shares + list
    return HTMLPage(title: "Confusions in “\(grammar)”", body: body).text
  }

  private static let mostRows = 40
  private static let mostDetails = 100

  private var summary: String {
    let part = isComplete ? "all of them" : "\(commands.count) of them"
    let levels = conditions.levels.map(\.name).joined(separator: ", ")
    return """
      <p>The grammar has \(HTMLPage.escaped(sentences)) sentences. \(conditions.speakers.count) \
      synthetic voices said \(part) at \(conditions.levels.count) levels of noise \
      (\(HTMLPage.escaped(levels))), seed \(conditions.seed), and the recogniser understood \
      <strong>\(understood.percent)</strong>. The numbers in brackets are 95 % confidence \
      intervals.</p>

      """
  }

  /// The confused commands, the worst first, and the texts that they were confused with.
  private var heatMap: String {
    let harmful = harmful
    var counts: [String: Int] = [:]
    for confusion in harmful { counts[confusion.said, default: 0] += confusion.count.count }
    let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let rows = Array(ranked.prefix(Self.mostRows))
    let shown = harmful.filter { rows.contains($0.said) }
    // A command that is a row as well keeps its position among the columns, so that the diagonal
    // shows.
    let heard = shown.map(\.heard).uniqued()
    var columns = rows.filter { heard.contains($0) }
    columns += heard.filter { !rows.contains($0) }.prefix(Self.mostRows)
    let numbers = Dictionary(
      self.harmful.enumerated().map { ([$1.said, $1.heard], $0) },
      uniquingKeysWith: { first, _ in first })
    let head = (["said ↓ heard →", "understood"] + columns.map { $0.isEmpty ? "(nothing)" : $0 })
      .map { "<th scope=\"col\">\(HTMLPage.escaped($0))</th>" }.joined()
    let body = rows.map { row in
      var cells = "<th scope=\"row\">\(HTMLPage.escaped(row))</th>"
      let understood = commands.first { $0.text == row }?.understood ?? Proportion()
      cells += Self.cell(understood, color: "--right")
      for column in columns {
        if let number = numbers[[row, column]] {
          cells += Self.cell(
            harmful[number].count, color: "--heat",
            link: number < Self.mostDetails ? "#confusion-\(number + 1)" : nil)
        } else {
          cells += row == column ? "<td>–</td>" : "<td></td>"
        }
      }
      return "<tr>\(cells)</tr>"
    }.joined(separator: "\n")
    let rest =
      ranked.count > rows.count
      ? "<p>The \(rows.count) worst of \(ranked.count) commands are shown.</p>\n" : ""
    let caption = "Confusions of each command, in percent"
    return """
      <h2>Confusions</h2>
      <p>Rows are commands that were spoken, and columns are sentences that were recognised \
      instead. Empty cells mean never. Each number links to its cause and to advice.</p>
      \(rest)\(HTMLPage.scrolling(caption, """
        <table class="map">
        <caption>\(caption)</caption>
        <thead><tr>\(head)</tr></thead>
        <tbody>
        \(body)
        </tbody>
        </table>
        """))

      """
  }

  /// Returns a cell whose colour is as strong as its share is large.
  private static func cell(_ share: Proportion, color: String, link: String? = nil) -> String {
    let strength = String(format: "%.2f", share.share * 0.45)
    let percent = share.share * 100
    let number = percent > 0 && percent < 1 ? "<1" : String(Int(percent.rounded()))
    let label = "\(share.count) of \(share.total)"
    let content =
      link.map {
        "<a href=\"\($0)\" title=\"\(label)\" aria-label=\"\(label) times: cause and "
          + "advice\">\(HTMLPage.escaped(number))</a>"
      } ?? "<span title=\"\(label)\">\(HTMLPage.escaped(number))</span>"
    return "<td style=\"background: rgba(var(\(color)), \(strength))\">\(content)</td>"
  }

  private var details: String {
    let shown = harmful.prefix(Self.mostDetails)
    var text = "<h2>Causes and advice</h2>\n"
    for (number, confusion) in shown.enumerated() {
      let heard = confusion.heard.isEmpty ? "nothing" : "“\(confusion.heard)”"
      let levels = zip(levels, confusion.countsByLevel).map { "\($0.name): \($1)" }
      text += """
        <h3 id="confusion-\(number + 1)">“\(HTMLPage.escaped(confusion.said))” was heard as \
        \(HTMLPage.escaped(heard))</h3>
        <p>\(confusion.count.count) of \(confusion.count.total) times \
        (\(HTMLPage.escaped(levels.joined(separator: ", ")))). \
        \(HTMLPage.escaped(confusion.advice))</p>

        """
    }
    if harmful.count > shown.count {
      text += "<p>\(harmful.count - shown.count) rarer confusions are not shown.</p>\n"
    }
    let rows = words.prefix(50).map { word in
      [
        word.said.isEmpty ? "(nothing)" : word.said, word.heard.isEmpty ? "(nothing)" : word.heard,
        String(word.count),
      ]
    }
    return text + "<h2>Words</h2>\n"
      + HTMLPage.table("The words that cause it", [["said", "heard", "times"]] + rows) + "\n"
  }

  private var shares: String {
    "<h2>Noise and voices</h2>\n"
      + HTMLPage.table(
        "Understood by noise", [["noise", "understood"]] + levels.map(\.cells))
      + "\n"
      + HTMLPage.table(
        "Understood by voice", [["voice", "understood"]] + speakers.map(\.cells)) + "\n"
  }

  private var list: String {
    "<h2>All commands</h2>\n"
      + HTMLPage.table(
        "Commands",
        [["command", "intent", "word for word", "understood"]]
          + commands.map { [$0.text, $0.intent, $0.exact.percent, $0.understood.percent] })
      + "\n"
  }
}
