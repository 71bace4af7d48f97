#if Cloud
import Foundation
import SpeechActions
import SpeechCommand

struct ActionsCacheCommand: Command {
  static let about = CommandDeclaration(
    name: "actions cache",
    summary: "List or remove the cached answers",
    discussion: """
      Actions with a cache lifetime reuse answers to the same question. They are stored in
      speechkit/answers.json in $XDG_CACHE_HOME or ~/.cache, which only you can read. Prints a line
      per answer: the connector, its age, the time until it expires, and its beginning.

      --json writes an array of objects with “connector”, “date”, “expires” and “text”.
      """,
    examples: [
      "speechkit actions cache": "List the cached answers",
      "speechkit actions cache --clear": "Remove them all",
    ],
    exits: [.cannotCreate: "The file cannot be written."])

  @Flag("--clear", help: "Remove all cached answers.") var clears
  @Flag("--json", help: "Write JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let now = Date()
    let answers = await AnswerCache.user.answers(at: now)
    guard !clears else {
      try await AnswerCache.user.removeAll()
      return await terminal.note("Removed \(answers.count) cached answers.")
    }
    let table = TextTable(
      answers.map { Self.cells($0, at: now) },
      heading: ["CONNECTOR", "AGE", "EXPIRES IN", "ANSWER"])
    try await terminal.write(table.text, json: answers.map(Self.record), isJSON: isJSON)
    if answers.isEmpty {
      await terminal.note(
        "There are no cached answers. `speechkit actions edit ACTION --cache 1h` makes an action "
          + "reuse its answers.")
    }
  }

  private static func cells(_ answer: CachedAnswer, at now: Date) -> [String] {
    let line = answer.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return [
      answer.connector, duration(now.timeIntervalSince(answer.date)),
      duration(answer.expiry.timeIntervalSince(now)),
      line.count > 50 ? line.prefix(49) + "…" : line,
    ]
  }

  private static func duration(_ seconds: TimeInterval) -> String {
    Duration.seconds(seconds.rounded()).formatted(
      .units(allowed: [.days, .hours, .minutes, .seconds], width: .narrow, maximumUnitCount: 1))
  }

  private static func record(_ answer: CachedAnswer) -> JSONRecord {
    [
      "connector": answer.connector, "date": answer.date.formatted(.iso8601),
      "expires": answer.expiry.formatted(.iso8601), "text": answer.text,
    ]
  }
}
#endif
