/// A line of the report: the results of SpeechKit and the peer, and the goal.
struct BenchmarkRow: Codable, Sendable {
  /// The unit of the numbers.
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

  /// An upper bound, and the number to which it applies.
  struct Goal: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
      /// SpeechKit's result divided by the peer's.
      case ratio
      /// SpeechKit's result minus the peer's.
      case difference
      /// SpeechKit's result.
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

  /// SpeechKit's result divided by the peer's: the median of the ratios of consecutive runs, so
  /// that changes in the load of the machine have little effect.
  var ratio: Double? {
    guard let peer, peer.median > 0 else { return nil }
    guard peer.values.count == ours.values.count, peer.values.allSatisfy({ $0 > 0 }) else {
      return ours.median / peer.median
    }
    return Samples(zip(ours.values, peer.values).map { $0 / $1 }).median
  }

  /// SpeechKit's result minus the peer's.
  var difference: Double? { peer.map { ours.median - $0.median } }

  /// True if the goal is met; `nil` if there is none.
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
