import Foundation

/// Recorded requests, each of which may be used once.
struct ReplayCandidates {
  private let requests: [RecordedExchange.Request]
  private let compared: [ComparedRequest]
  private let order: ReplayTransport.Order
  private var isUsed: [Bool]

  init(_ requests: [RecordedExchange.Request], order: ReplayTransport.Order) {
    self.requests = requests
    compared = requests.map { ComparedRequest($0) }
    self.order = order
    isUsed = requests.map { _ in false }
  }

  /// The indices of the unused requests.
  var unused: [Int] { requests.indices.filter { !isUsed[$0] } }

  private var candidates: [Int] { order == .asRecorded ? Array(unused.prefix(1)) : unused }

  /// Returns the index of the first matching request, and marks it as used.
  mutating func take(_ request: RecordedExchange.Request) -> Int? {
    let asked = ComparedRequest(request)
    let candidates = candidates
    // An equal request takes precedence over one that differs in its secrets.
    let index =
      candidates.first { compared[$0] == asked } ?? candidates.first { matches($0, asked) }
    if let index { isUsed[index] = true }
    return index
  }

  /// Describes a request that matches none.
  func mismatch(_ request: RecordedExchange.Request) -> TrafficMismatch {
    let asked = ComparedRequest(request)
    let same = requests.indices.filter { matches($0, asked) }
    let nearest = candidates.map {
      (index: $0, comparison: TrafficComparison(recorded: compared[$0], asked: asked))
    }.min { $0.comparison.distance < $1.comparison.distance }
    return TrafficMismatch(
      asked: request, nearest: nearest.map { requests[$0.index] },
      number: nearest.map { $0.index + 1 }, differences: nearest?.comparison.differences ?? [],
      timesUsed: same.contains { !isUsed[$0] } ? 0 : same.count)
  }

  private func matches(_ index: Int, _ asked: ComparedRequest) -> Bool {
    TrafficComparison(recorded: compared[index], asked: asked).differences.isEmpty
  }
}
