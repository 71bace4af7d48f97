import SpeechCommand
import SpeechKit

/// Prints a conversation while it is held: a line of JSON per event, or the words of both sides,
/// and the timings at the end.
@MainActor
final class LoopPrinter {
  private let terminal: Terminal
  private let isJSON: Bool
  /// True if a further recogniser reads what the grammar rejects.
  private let isDictated: Bool
  /// The timings of the turns so far.
  private(set) var table = TurnTimingsTable()
  /// True once the conversation has begun.
  private(set) var hasBegun = false

  init(terminal: Terminal, isJSON: Bool, isDictated: Bool) {
    self.terminal = terminal
    self.isJSON = isJSON
    self.isDictated = isDictated
  }

  func print(_ event: VoiceLoopEvent) async throws {
    hasBegun = true
    if case .timings(let timings) = event.kind { table.add(timings) }
    guard !isJSON else { return try await terminal.writeLine(event.line) }
    switch event.kind {
    case .awake(let phrase): try await line("awake", phrase)
    case .asleep: try await line("asleep", "")
    case .userFinal(let text): try await line("user", text)
    case .userIgnored(let text, .rejected):
      let reason =
        text.isEmpty
        ? "no sentence of the grammar is like it."
        : "nearest is “\(text)”." + (isDictated ? "" : " --accept off accepts it.")
      await terminal.note("speechkit: Rejected what was said: \(reason)")
    case .userIgnored(let text, let reason):
      try await line("ignored", (text.isEmpty ? "" : "“\(text)”, ") + reason.inWords)
    case .interrupted(let heard, let unheard):
      try await line("reply", heard + " ✂" + (unheard.isEmpty ? "" : " (not heard: \(unheard))"))
    case .replyFinished(let text): try await line("reply", text)
    case .replyFailed(let reason): try await line("failed", reason)
    case .voiceFailed(let error): try await line("failed", error.localizedDescription)
    case .recognitionFailed(let error): try await line("failed", error.localizedDescription)
    case .recognitionReturned: try await line("hearing", "again")
    case .away: try await line("away", "")
    case .listening, .userStarted, .userPartial, .thinking, .replyText, .speaking, .word,
      .replyHeld, .replyResumed, .prompted, .timings, .ended:
      break
    }
  }

  /// Prints the table of timings.
  func printTable() async throws {
    guard !isJSON, !table.turns.isEmpty else { return }
    let stages = TurnTimingsTable.Stage.allCases.filter { table.median($0) != nil }
    func row(_ title: String, _ value: (TurnTimingsTable.Stage) -> Duration?) -> [String] {
      [title] + stages.map { stage in value(stage).map(\.milliseconds) ?? "–" }
    }
    var rows = table.turns.map { turn in row(String(turn.turn)) { turn[$0] } }
    rows.append(row("median") { table.median($0) })
    rows.append(row("95 %") { table.percentile(95, $0) })
    let text = TextTable(rows, heading: ["turn"] + stages.map(\.title)).text
    try await terminal.write("\nMilliseconds after the user's last sound:\n" + text)
  }

  private func line(_ who: String, _ text: String) async throws {
    var line = who
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").harmless
    if !words.isEmpty { line += String(repeating: " ", count: max(1, 9 - who.count)) + words }
    try await terminal.writeLine(line)
  }
}

extension Duration {
  fileprivate var milliseconds: String { String(Int((self / .milliseconds(1)).rounded())) }
}
