import Foundation
import ServiceCredentials

/// The observations of all connectors, and their format in the file.
struct RecordTable: Sendable {
  /// A service, identified by its connector.
  struct Key: Sendable, Hashable {
    var connector: String
    /// A digest of kind, address and model.
    var service: String

    init(_ connector: Connector) {
      self.connector = connector.id
      let parts = "\(connector.kind)\n\(connector.resolvedBaseURL)\n\(connector.model)"
      service = Digest.sha256(Data(parts.utf8))
    }

    fileprivate init?(_ text: String) {
      let parts = text.split(separator: " ")
      guard parts.count == 2 else { return nil }
      (connector, service) = (String(parts[0]), String(parts[1]))
    }

    fileprivate var text: String { "\(connector) \(service)" }
  }

  private struct Page: Codable {
    struct Record: Codable {
      var beginnings: [Int]
      var latency: Int?
      var successes: Int
      var failures: Int
      var seen: Int
    }

    var version = 1
    var connectors: [String: Record] = [:]
  }

  /// Older observations say nothing about a service.
  private static let lifetime: TimeInterval = 90 * 86_400
  private static let maximumRecords = 256
  /// An upper bound for durations, in milliseconds.
  private static let longest = 86_400_000

  var connectors: [Key: ConnectorHealth] = [:]

  init() {}

  /// Reads a file; `nil` for one that is not valid, or of a later version.
  init?(_ data: Data) {
    guard let page = try? JSONDecoder().decode(Page.self, from: data), page.version == 1 else {
      return nil
    }
    for (name, record) in page.connectors {
      guard let key = Key(name) else { continue }
      let times = record.beginnings.filter { (0...Self.longest).contains($0) }
      connectors[key] = ConnectorHealth(
        beginnings: times.map { .milliseconds($0) },
        latency: record.latency.flatMap {
          (0...Self.longest).contains($0) ? .milliseconds($0) : nil
        },
        successes: min(max(0, record.successes), .max / 2),
        failures: min(max(0, record.failures), .max / 2),
        seen: Date(timeIntervalSince1970: Double(min(max(0, record.seen), .max / 2))))
    }
  }

  mutating func change(
    _ key: Key, at time: Date, _ change: (inout ConnectorHealth) -> Void
  ) {
    var health = connectors[key] ?? ConnectorHealth()
    change(&health)
    health.seen = time
    // The connector may have had another address or model before.
    connectors = connectors.filter { $0.key.connector != key.connector }
    connectors[key] = health
  }

  /// Removes old observations, and the oldest ones if there are too many.
  mutating func forgetOld(at time: Date) {
    let recent = connectors.filter { time.timeIntervalSince($0.value.seen) <= Self.lifetime }
      .sorted { $0.value.seen > $1.value.seen }
    connectors = Dictionary(uniqueKeysWithValues: recent.prefix(Self.maximumRecords).map { $0 })
  }

  func encoded() throws -> Data {
    var page = Page()
    for (key, health) in connectors {
      page.connectors[key.text] = Page.Record(
        beginnings: health.beginnings.map(\.wholeMilliseconds),
        latency: health.lastLatency?.wholeMilliseconds,
        successes: health.successes, failures: health.failures,
        seen: Int(health.seen.timeIntervalSince1970))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(page)
  }
}
