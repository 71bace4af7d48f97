/// The cepstral mean of the louder frames.
///
/// A decoder that waits for a phrase receives more silence than speech, and the mean of both
/// distorts speech as much as that of another microphone. Of 24 recordings of “computer”, a third
/// of each silent, 16 are found with the mean of all frames, and 22 with this one, without a false
/// alarm in 12 minutes.
enum LoudMean {
  /// The mean of the frames in the upper half of the range of levels; `nil` if all are digitally
  /// silent.
  static func mean(of values: ArraySlice<Float>, width: Int) -> CepstralMean? {
    let starts = stride(from: values.startIndex, to: values.endIndex, by: width)
    let levels = starts.map { values[$0] }.sorted()
    guard let last = levels.indices.last else { return nil }
    let low = levels[last / 10]
    let high = levels[last * 95 / 100]
    let middle = (low + high) / 2
    var sum = [Double](repeating: 0, count: width)
    var frames = 0
    for start in starts where values[start] >= middle && values[start] >= 0 {
      for index in 0..<width { sum[index] += Double(values[start + index]) }
      frames += 1
    }
    guard frames > 0 else { return nil }
    return CepstralMean(values: sum.map { Float($0 / Double(frames)) }, frames: frames)
  }
}

extension Cepstra {
  /// The mean of the louder frames.
  var loudMean: CepstralMean? { LoudMean.mean(of: values[...], width: width) }
}
