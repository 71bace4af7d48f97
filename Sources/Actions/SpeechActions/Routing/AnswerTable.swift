import AIServices
import Foundation

/// Cached answers by the digests of their requests, and their format in the file.
struct AnswerTable: Sendable {
  private struct Entry: Sendable {
    var answer: CachedAnswer
    var used: Date
    var isPrivate: Bool
    var bytes: Int { answer.text.utf8.count + 256 }
  }

  private struct Page: Codable {
    struct Record: Codable {
      var connector: String
      var text: String
      var usage: ServiceUsage
      var date: Double
      var expiry: Double
      var used: Double
    }

    var version = 1
    var answers: [String: Record] = [:]
  }

  private var entries: [String: Entry] = [:]

  init() {}

  /// Reads a file; `nil` for one that is not valid, or of another version.
  init?(_ data: Data) {
    guard let page = try? JSONDecoder().decode(Page.self, from: data), page.version == 1 else {
      return nil
    }
    entries = page.answers.mapValues { record in
      Entry(
        answer: CachedAnswer(
          connector: record.connector, text: record.text, usage: record.usage,
          date: Date(timeIntervalSince1970: record.date),
          expiry: Date(timeIntervalSince1970: record.expiry)),
        used: Date(timeIntervalSince1970: record.used), isPrivate: false)
    }
  }

  func answers(at date: Date) -> [CachedAnswer] {
    entries.values.map(\.answer).filter { $0.expiry >= date && $0.date <= date }
      .sorted { $0.date > $1.date }
  }

  mutating func answer(
    for digest: String, notOlderThan lifetime: Duration, at date: Date
  ) -> CachedAnswer? {
    // An answer from the future is a sign that the clock was changed.
    guard let entry = entries[digest], entry.answer.date <= date, entry.answer.expiry >= date,
      date.timeIntervalSince(entry.answer.date) <= lifetime / .seconds(1)
    else { return nil }
    entries[digest]?.used = date
    return entry.answer
  }

  /// Adds an answer, and removes expired ones, and the least recently used beyond the limits.
  mutating func keep(
    _ answer: CachedAnswer, for digest: String, isPrivate: Bool, within limits: AnswerCache.Limits
  ) {
    entries[digest] = Entry(answer: answer, used: answer.date, isPrivate: isPrivate)
    entries = entries.filter { $0.value.answer.expiry >= answer.date }
    var bytes = entries.values.reduce(0) { $0 + $1.bytes }
    for (digest, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) {
      guard entries.count > limits.entries || bytes > limits.bytes else { break }
      bytes -= entry.bytes
      entries[digest] = nil
    }
  }

  func encoded() throws -> Data {
    let records = entries.filter { !$0.value.isPrivate }.mapValues { entry in
      Page.Record(
        connector: entry.answer.connector, text: entry.answer.text, usage: entry.answer.usage,
        date: entry.answer.date.timeIntervalSince1970,
        expiry: entry.answer.expiry.timeIntervalSince1970,
        used: entry.used.timeIntervalSince1970)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(Page(answers: records))
  }
}
