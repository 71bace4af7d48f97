/// The counts of n-grams of one length, merged as they arrive, so that memory grows with the number
/// of distinct n-grams rather than with the text.
struct NGramCounts: Sendable {
  /// Counts in ascending order of their distinct keys.
  struct Run: Sendable {
    var keys: [NGramKey] = []
    var counts: [UInt32] = []
  }

  private var waiting: [NGramKey] = []
  /// Each is at least twice as long as the next one, so that merging stays cheap.
  private var runs: [Run] = []

  private static let blockSize = 1 << 19

  mutating func add(_ key: NGramKey) {
    waiting.append(key)
    if waiting.count >= Self.blockSize { settle() }
  }

  /// Merges everything into one run.
  mutating func finish() -> Run {
    settle()
    while runs.count > 1 { mergeLast() }
    return runs.popLast() ?? Run()
  }

  private mutating func settle() {
    guard !waiting.isEmpty else { return }
    runs.append(Run(counting: waiting))
    waiting.removeAll(keepingCapacity: true)
    while runs.count > 1, runs[runs.count - 2].keys.count < 2 * runs[runs.count - 1].keys.count {
      mergeLast()
    }
  }

  private mutating func mergeLast() {
    let right = runs.removeLast()
    let left = runs.removeLast()
    runs.append(left.merged(with: right))
  }
}

extension NGramCounts.Run {
  /// Counts keys in any order.
  init(counting keys: [NGramKey]) {
    let sorted = keys.sorted()
    for key in sorted {
      if self.keys.last == key {
        counts[counts.count - 1] &+= 1
      } else {
        self.keys.append(key)
        counts.append(1)
      }
    }
  }

  func merged(with other: Self) -> Self {
    var result = Self()
    result.keys.reserveCapacity(keys.count + other.keys.count)
    result.counts.reserveCapacity(keys.count + other.keys.count)
    var left = 0
    var right = 0
    while left < keys.count || right < other.keys.count {
      if right == other.keys.count || (left < keys.count && keys[left] < other.keys[right]) {
        result.keys.append(keys[left])
        result.counts.append(counts[left])
        left += 1
      } else if left == keys.count || other.keys[right] < keys[left] {
        result.keys.append(other.keys[right])
        result.counts.append(other.counts[right])
        right += 1
      } else {
        result.keys.append(keys[left])
        let (sum, isTooMuch) = counts[left].addingReportingOverflow(other.counts[right])
        result.counts.append(isTooMuch ? .max : sum)
        left += 1
        right += 1
      }
    }
    return result
  }

  /// The counts with other numbers for the words, several of which may become one.
  func mapped(_ length: Int, _ map: [UInt32]) -> Self {
    let order = keys.enumerated().map { (key: $1.mapped(length, map), place: $0) }
      .sorted { $0.key < $1.key }
    var result = Self()
    for (key, place) in order {
      if result.keys.last == key {
        let last = result.counts.count - 1
        let (sum, isTooMuch) = result.counts[last].addingReportingOverflow(counts[place])
        result.counts[last] = isTooMuch ? .max : sum
      } else {
        result.keys.append(key)
        result.counts.append(counts[place])
      }
    }
    return result
  }
}
