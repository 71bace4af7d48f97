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
  ///
  /// In whole pixels and from each point to the next, because a page holds hundreds of these.
  func path(middle: Int, reach: Int) -> String {
    func height(_ share: Double) -> Int {
      // Speech is far below full scale, and is to be seen all the same.
      let seen = (share < 0 ? -1 : 1) * min(1, abs(share) * 2.5).squareRoot()
      return middle - Int((seen * Double(reach)).rounded())
    }
    guard let first = columns.first, let last = columns.last else { return "" }
    return "M0 \(height(first.high))" + Self.steps(columns.map { height($0.high) }, by: 1)
      + "V\(height(last.low))" + Self.steps(columns.reversed().map { height($0.low) }, by: -1) + "Z"
  }

  /// From the first height to the last, a column at a time; stretches of the same height as one.
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
