import AIServices
import Foundation

/// The health of a connector. All programs of the user share it, except where noted.
public struct ConnectorHealth: Sendable, Hashable {
  /// The state of the connector's client in this program.
  public var state: ServiceHealth.State = .working
  /// The time that the last complete answer took.
  public var lastLatency: Duration?
  /// The time to the first token of the last answer.
  public var lastFirstText: Duration?
  /// The 95th percentile of the times to the first token; `nil` while there are too few
  /// observations.
  public var slowFirstText: Duration?
  /// The number of complete answers.
  public var successes = 0
  /// The number of failed requests.
  public var failures = 0
  /// The last error in this program; `nil` after a successful answer.
  public var lastError: ActionError?
  /// The total cost of the connector in this program.
  public var cost = 0.0

  /// The observed times to the first token.
  private(set) var beginnings: [Duration] = []
  /// The time of the last observation.
  var seen = Date.distantPast

  /// Creates the health of a connector that has not been used.
  public init() {}
}

// MARK: Observations

extension ConnectorHealth {
  /// The number of observations that are kept, and the number that a percentile needs.
  private static let window = 64
  private static let fewest = 8

  /// Creates the health that stored observations show.
  init(beginnings: [Duration], latency: Duration?, successes: Int, failures: Int, seen: Date) {
    for time in beginnings.suffix(Self.window) { noteBeginning(after: time) }
    lastLatency = latency
    self.successes = successes
    self.failures = failures
    self.seen = seen
  }

  /// Copies the values that are not shared with other programs.
  mutating func takeLocal(of other: ConnectorHealth) {
    lastError = other.lastError
    cost = other.cost
  }

  mutating func noteBeginning(after time: Duration) {
    beginnings = (beginnings + [time]).suffix(Self.window)
    lastFirstText = time
    guard beginnings.count >= Self.fewest else { return }
    let sorted = beginnings.sorted()
    slowFirstText = sorted[min(sorted.count - 1, (sorted.count * 95 + 99) / 100 - 1)]
  }

  mutating func noteSuccess(latency: Duration, cost: Double?) {
    successes += 1
    lastLatency = latency
    lastError = nil
    noteCost(cost)
  }

  mutating func noteFailure(_ error: ActionError, cost: Double?) {
    failures += 1
    lastError = error
    noteCost(cost)
  }

  mutating func noteCost(_ sum: Double?) { cost += sum ?? 0 }
}
