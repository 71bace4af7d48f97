import Foundation

/// The observations of a connector.
///
/// A value: outcomes in, health out.
struct ConnectorMonitor: Sendable {
  /// The number of observations that are kept, and the number that a percentile needs.
  private static let window = 64
  private static let fewest = 8

  private(set) var health = ConnectorHealth()
  private(set) var beginnings: [Duration] = []
  /// The time of the last observation.
  var seen = Date.distantPast

  init() {}

  /// Creates a monitor from stored observations.
  init(beginnings: [Duration], latency: Duration?, successes: Int, failures: Int, seen: Date) {
    self.beginnings = Array(beginnings.suffix(Self.window))
    health.lastLatency = latency
    health.lastFirstText = beginnings.last
    health.slowFirstText = slowBeginning
    health.successes = successes
    health.failures = failures
    self.seen = seen
  }

  /// Copies the values that are not shared with other programs.
  mutating func takeLocal(of other: ConnectorMonitor) {
    health.lastError = other.health.lastError
    health.cost = other.health.cost
  }

  mutating func noteBeginning(after time: Duration) {
    beginnings.append(time)
    if beginnings.count > Self.window { beginnings.removeFirst() }
    health.lastFirstText = time
    health.slowFirstText = slowBeginning
  }

  mutating func noteSuccess(latency: Duration, cost: Double?) {
    health.successes += 1
    health.lastLatency = latency
    health.lastError = nil
    health.cost += cost ?? 0
  }

  mutating func noteFailure(_ error: ActionError, cost: Double?) {
    health.failures += 1
    health.lastError = error
    health.cost += cost ?? 0
  }

  mutating func noteCancellation(cost: Double?) {
    health.cost += cost ?? 0
  }

  /// The 95th percentile of the times to the first token.
  private var slowBeginning: Duration? {
    guard beginnings.count >= Self.fewest else { return nil }
    let sorted = beginnings.sorted()
    return sorted[min(sorted.count - 1, (sorted.count * 95 + 99) / 100 - 1)]
  }
}
