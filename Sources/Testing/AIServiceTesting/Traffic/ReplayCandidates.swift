/// Recorded requests or messages, each of which may be used once.
struct ReplayCandidates {
  private let recorded: [ComparedTraffic]
  private let order: ReplayTransport.Order
  /// The indices of those that have not been used, in order.
  private(set) var unused: [Int]

  init(_ recorded: [ComparedTraffic], order: ReplayTransport.Order) {
    self.recorded = recorded
    self.order = order
    unused = Array(recorded.indices)
  }

  private var candidates: ArraySlice<Int> {
    order == .asRecorded ? unused.prefix(1) : unused[...]
  }

  /// Returns the index of the first that matches, and marks it as used.
  mutating func take(_ asked: ComparedTraffic) -> Int? {
    // An equal one takes precedence over one that differs in its secrets.
    let index =
      candidates.first { recorded[$0] == asked } ?? candidates.first { matches($0, asked) }
    unused.removeAll { $0 == index }
    return index
  }

  /// The nearest that may be used, with its differences; `nil` if none is left.
  func nearest(
    to asked: ComparedTraffic
  ) -> (index: Int, differences: [TrafficMismatch.Difference])? {
    candidates.map { ($0, TrafficComparison(recorded: recorded[$0], asked: asked)) }
      .min { $0.1.distance < $1.1.distance }
      .map { ($0.0, $0.1.differences) }
  }

  /// The number of those that match, if all of them have been used; else 0.
  func timesUsed(_ asked: ComparedTraffic) -> Int {
    let same = recorded.indices.filter { matches($0, asked) }
    return same.contains(where: unused.contains) ? 0 : same.count
  }

  private func matches(_ index: Int, _ asked: ComparedTraffic) -> Bool {
    TrafficComparison(recorded: recorded[index], asked: asked).differences.isEmpty
  }
}
