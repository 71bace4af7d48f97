import Foundation
import SpeechCommand

/// Prints a conversation while it is held.
@MainActor
struct DemoPrinter {
  let terminal: Terminal
  let isJSON: Bool
  let isLive: Bool

  func print(_ event: DemoConversation.Event) async throws {
    guard !isJSON else { return }
    switch event {
    case .greeted(let text, let delay):
      try await line("bar", text)
      try await detail("first audio after \(milliseconds(delay))")
      if isLive { await terminal.showStatus("Listening. Ctrl-C ends.") }
    case .heard(let turn):
      if let said = turn.said { try await line("guest", said) }
      try await line("heard", turn.heard + (turn.isUnderstood ? "" : "   ← misheard"))
      try await detail(
        "\(milliseconds(turn.latency)) after the last word: \(milliseconds(turn.detectionDelay)) "
          + "to detect the end, \(milliseconds(turn.decodingTime)) to decode")
      try await line("bar", turn.answer)
    case .answered(let turn):
      try await detail("first audio after \(milliseconds(turn.firstSoundDelay))")
      if isLive { await terminal.showStatus("Listening. Ctrl-C ends.") }
    }
  }

  func print(_ report: DemoReport) async throws {
    guard !isJSON else { return try await terminal.writeJSON(report) }
    let understood = report.turns.filter(\.isUnderstood).count
    let count = report.turns.count
    let latencies = report.turns.map(\.latency).sorted()
    var lines = [""]
    if !isLive { lines.append("\(understood) of \(count) lines understood.") }
    if let last = latencies.last {
      lines.append(
        "Recognised \(milliseconds(latencies[latencies.count / 2])) after the last word (median), "
          + "\(milliseconds(last)) at most.")
    }
    let seconds = String(
      format: "%.1f s of conversation took %.1f s", report.duration, report.elapsed)
    lines.append(
      isLive
        ? seconds + "." : seconds + String(format: ", %.2f of real time.", report.realTimeFactor))
    if let file = report.file { lines.append("The audio is in \(file).") }
    try await terminal.write(lines.joined(separator: "\n") + "\n")
  }

  private func line(_ who: String, _ text: String) async throws {
    try await terminal.writeLine(who + String(repeating: " ", count: max(1, 8 - who.count)) + text)
  }

  private func detail(_ text: String) async throws {
    try await terminal.writeLine("          · " + text)
  }

  private func milliseconds(_ seconds: TimeInterval) -> String {
    "\(Int((seconds * 1_000).rounded())) ms"
  }
}
