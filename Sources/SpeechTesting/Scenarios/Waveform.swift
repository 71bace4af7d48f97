/// The outline of a sound, in a few hundred columns.
struct Waveform {
  /// Of each column the lowest and the highest sample, as shares of full scale.
  let columns: [(low: Double, high: Double)]

  init(_ sound: PCMBuffer, columns count: Int, of duration: Duration) {
    let frames = max(1, sound.format.frames(in: duration))
    columns = (0..<count).map { column in
      let start = column * frames / count
      let end = min((column + 1) * frames / count, sound.frameCount)
      guard start < end else { return (0, 0) }
      var (low, high) = (Int16.max, Int16.min)
      for sample in sound.samples[start..<end] {
        low = min(low, sample)
        high = max(high, sample)
      }
      return (Double(low) / 32_768, Double(high) / 32_768)
    }
  }

  /// As the path of an SVG around a line at that height; loud speech fills the room above and below.
  func path(middle: Double, reach: Double) -> String {
    func height(_ share: Double) -> String {
      // Speech is far below full scale, and is to be seen all the same.
      let seen = (share < 0 ? -1 : 1) * min(1, abs(share) * 2.5).squareRoot()
      return String(format: "%.1f", middle - seen * reach)
    }
    let top = columns.enumerated().map { "\($0.offset) \(height($0.element.high))" }
    let bottom = columns.enumerated().reversed().map { "\($0.offset) \(height($0.element.low))" }
    return "M" + (top + bottom).joined(separator: "L") + "Z"
  }
}
