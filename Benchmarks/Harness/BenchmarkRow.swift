/// One line of the report: ours, the peer's, and what was aimed at.
struct BenchmarkRow: Codable, Sendable {
  /// What the numbers count.
  enum Unit: String, Codable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "µs"
    case megabytes = "MB"
    case percent = "%"
    case decibels = "dB"
    case timesRealTime = "× real time"
    case count = ""
  }

  /// What was aimed at: the number that has to be reached, and how it comes from the measurements.
  struct Goal: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
      /// Ours divided by the peer's.
      case ratio
      /// Ours minus the peer's.
      case difference
      /// Ours.
      case value
    }

    var kind: Kind
    var atMost: Double

    static func ratio(_ atMost: Double) -> Goal { Goal(kind: .ratio, atMost: atMost) }
    static func difference(_ atMost: Double) -> Goal { Goal(kind: .difference, atMost: atMost) }
    static func value(_ atMost: Double) -> Goal { Goal(kind: .value, atMost: atMost) }
  }

  var benchmark: String
  var what: String
  var unit: Unit
  var ours: Samples
  var peerName: String?
  var peer: Samples?
  var goal: Goal?
  var note: String?

  /// Ours divided by the peer's: the median of the ratios of runs that followed each other, so that a
  /// machine that is busier in one minute than in the next does not count.
  var ratio: Double? {
    guard let peer, peer.median > 0 else { return nil }
    guard peer.values.count == ours.values.count, peer.values.allSatisfy({ $0 > 0 }) else {
      return ours.median / peer.median
    }
    return Samples(zip(ours.values, peer.values).map { $0 / $1 }).median
  }

  /// Ours minus the peer's.
  var difference: Double? { peer.map { ours.median - $0.median } }

  /// Whether the goal is met; `nil` if there is none.
  var isMet: Bool? {
    guard let goal else { return nil }
    let reached: Double? =
      switch goal.kind {
      case .ratio: ratio
      case .difference: difference
      case .value: ours.median
      }
    return reached.map { $0 <= goal.atMost + 1e-9 }
  }
}
