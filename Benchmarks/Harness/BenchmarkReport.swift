import Foundation

/// The results of all benchmarks, as a table or as JSON.
struct BenchmarkReport {
  struct Remark: Codable {
    var benchmark: String
    var reason: String
  }

  var rows: [BenchmarkRow] = []
  var skipped: [Remark] = []
  var failed: [Remark] = []

  func text() -> String {
    let head = ["benchmark", "measured", "SpeechKit", "peer", "comparison", "goal", "verdict"]
    let cells = [head] + rows.map(cells(of:))
    let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        .joined(separator: "  ").trimmingTrailingBlanks
    }
    lines.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
    let notes = rows.compactMap { row in row.note.map { "\(row.benchmark), \(row.what): \($0)" } }
    if !notes.isEmpty { lines += [""] + notes }
    let remarks =
      skipped.map { "\($0.benchmark) was skipped: \($0.reason)" }
      + failed.map { "\($0.benchmark) failed: \($0.reason)" }
    if !remarks.isEmpty { lines += [""] + remarks }
    let judged = rows.compactMap(\.isMet)
    lines += ["", "\(judged.filter { $0 }.count) of \(judged.count) goals met"]
    return lines.joined(separator: "\n") + "\n"
  }

  func json() throws -> String {
    struct Row: Encodable {
      var row: BenchmarkRow
      var ratio: Double?
      var difference: Double?
      var isMet: Bool?
    }
    struct Report: Encodable {
      var rows: [Row]
      var skipped: [Remark]
      var failed: [Remark]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let all = rows.map { row in
      Row(row: row, ratio: row.ratio, difference: row.difference, isMet: row.isMet)
    }
    let data = try encoder.encode(Report(rows: all, skipped: skipped, failed: failed))
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private func cells(of row: BenchmarkRow) -> [String] {
    var comparison = ""
    if row.goal?.kind == .difference, let difference = row.difference {
      comparison = (difference < 0 ? "" : "+") + Self.number(difference) + " " + row.unit.rawValue
    } else if let ratio = row.ratio {
      comparison = "× " + String(format: "%.3f", ratio)
    }
    let peer = row.peer.map { Self.range($0, row.unit) + (row.peerName.map { " (\($0))" } ?? "") }
    return [
      row.benchmark, row.what, Self.range(row.ours, row.unit), peer ?? "", comparison,
      row.goal.map { Self.goal($0, row.unit) } ?? "",
      row.isMet.map { $0 ? "met" : "missed" } ?? "",
    ]
  }

  private static func range(_ samples: Samples, _ unit: BenchmarkRow.Unit) -> String {
    let median = number(samples.median) + (unit == .count ? "" : " \(unit.rawValue)")
    guard samples.values.count > 1 else { return median }
    return "\(median) [\(number(samples.least))–\(number(samples.most))]"
  }

  private static func goal(_ goal: BenchmarkRow.Goal, _ unit: BenchmarkRow.Unit) -> String {
    switch goal.kind {
    case .ratio: "≤ × \(String(format: "%.2f", goal.atMost))"
    case .difference: "≤ +\(number(goal.atMost)) \(unit.rawValue)"
    case .value: "≤ \(number(goal.atMost)) \(unit.rawValue)"
    }
  }

  private static func number(_ value: Double) -> String {
    let size = abs(value)
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size == 0 ? 0 : 3
    return String(format: "%.\(digits)f", value)
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
