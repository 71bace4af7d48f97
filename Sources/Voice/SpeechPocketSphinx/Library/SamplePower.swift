extension ArraySlice<Int16> {
  /// The mean of the squares of the samples.
  var power: Double {
    guard !isEmpty else { return 0 }
    var sum = 0.0
    for sample in self { sum += Double(sample) * Double(sample) }
    return sum / Double(count)
  }
}
