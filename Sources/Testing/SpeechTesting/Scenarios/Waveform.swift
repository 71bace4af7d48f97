/// The outline of audio in a few hundred columns.
struct Waveform {
  /// The lowest and highest sample of each column, relative to full scale.
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

  /// Returns the outline as the path of an SVG around a horizontal line. Loud speech fills the
  /// space above and below it.
  ///
  /// Coordinates are whole pixels and relative, because a page holds hundreds of paths.
  func path(middle: Int, reach: Int) -> String {
    func height(_ share: Double) -> Int {
      // Speech is far below full scale, but has to be visible.
      let seen = (share < 0 ? -1 : 1) * min(1, abs(share) * 2.5).squareRoot()
      return middle - Int((seen * Double(reach)).rounded())
    }
    guard let first = columns.first, let last = columns.last else { return "" }
    return "M0 \(height(first.high))" + Self.steps(columns.map { height($0.high) }, by: 1)
      + "V\(height(last.low))" + Self.steps(columns.reversed().map { height($0.low) }, by: -1) + "Z"
  }

  /// Returns the steps from the first to the last height, one column at a time. Equal heights
  /// become one step.
  private static func steps(_ heights: [Int], by step: Int) -> String {
    var text = ""
    var level = 0
    func flush() {
      if level > 0 { text += "h\(level * step)" }
      level = 0
    }
    for (old, new) in zip(heights, heights.dropFirst()) {
      if old == new {
        level += 1
      } else {
        flush()
        text += new < old ? "l\(step)\(new - old)" : "l\(step) \(new - old)"
      }
    }
    flush()
    return text
  }
}
