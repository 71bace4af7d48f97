/// Durations in text: `800ms`, `20s`, `2m`, `1h`.
enum DurationText {
  private static let units: [(String, Int64)] = [
    ("ms", 1), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
  ]

  /// Parses a duration; `nil` for text that is not valid, or longer than a year.
  static func duration(_ text: String) -> Duration? {
    for (unit, milliseconds) in units where text.hasSuffix(unit) {
      let number = text.dropLast(unit.count)
      guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
        let value = Double(number), value.isFinite
      else { return nil }
      let total = value * Double(milliseconds)
      guard total >= 0, total <= 366 * 24 * 3_600_000 else { return nil }
      return .milliseconds(Int64(total.rounded()))
    }
    return nil
  }

  /// Returns the duration in the largest unit that gives a whole number.
  static func written(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    for (unit, size) in [("h", 3_600_000), ("m", 60_000), ("s", 1_000)] as [(String, Int64)]
    where milliseconds > 0 && milliseconds % size == 0 {
      return "\(milliseconds / size)\(unit)"
    }
    return "\(milliseconds)ms"
  }
}

extension Duration {
  /// The duration in milliseconds, rounded.
  package var wholeMilliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
