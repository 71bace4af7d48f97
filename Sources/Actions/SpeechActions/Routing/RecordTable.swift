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

  var monitors: [Key: ConnectorMonitor] = [:]
  private var seen: [Key: Date] = [:]

  init() {}

  /// Reads a file; `nil` for one that is not valid, or of a later version.
  init?(_ data: Data) {
    guard let page = try? JSONDecoder().decode(Page.self, from: data), page.version == 1 else {
      return nil
    }
    for (name, record) in page.connectors {
      guard let key = Key(name) else { continue }
      let times = record.beginnings.filter { (0...Self.longest).contains($0) }
      monitors[key] = ConnectorMonitor(
        beginnings: times.map { .milliseconds($0) },
        latency: record.latency.flatMap {
          (0...Self.longest).contains($0) ? .milliseconds($0) : nil
        },
        successes: min(max(0, record.successes), .max / 2),
        failures: min(max(0, record.failures), .max / 2))
      seen[key] = Date(timeIntervalSince1970: Double(record.seen))
    }
  }

  mutating func change(
    _ key: Key, at time: Date, _ change: (inout ConnectorMonitor) -> Void
  ) {
    change(&monitors[key, default: ConnectorMonitor()])
    seen[key] = time
    // The connector has another address or model now.
    for other in Array(monitors.keys) where other.connector == key.connector && other != key {
      forget(other)
    }
  }

  /// Removes old observations, and the oldest ones if there are too many.
  mutating func forgetOld(at time: Date) {
    for (key, date) in seen where time.timeIntervalSince(date) > Self.lifetime { forget(key) }
    for (key, _) in seen.sorted(by: { $0.value > $1.value }).dropFirst(Self.maximumRecords) {
      forget(key)
    }
  }

  private mutating func forget(_ key: Key) {
    monitors[key] = nil
    seen[key] = nil
  }

  /// Returns the content of the file.
  func encoded() throws -> Data {
    var page = Page()
    for (key, monitor) in monitors {
      page.connectors[key.text] = Page.Record(
        beginnings: monitor.beginnings.map(\.wholeMilliseconds),
        latency: monitor.health.lastLatency?.wholeMilliseconds,
        successes: monitor.health.successes, failures: monitor.health.failures,
        seen: Int(seen[key]?.timeIntervalSince1970 ?? 0))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(page)
  }
}
