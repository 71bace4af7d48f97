/// The results of several runs.
struct Samples: Codable, Sendable {
  /// The results in the order of the runs.
  let values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// A single result.
  init(_ value: Double) { values = [value] }

  var median: Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  var least: Double { values.min() ?? .nan }
  var most: Double { values.max() ?? .nan }
}
