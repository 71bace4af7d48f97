/// Durations in text: `800ms`, `20s`, `2m`, `1h`.
enum DurationText {
  private static let units = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]

  /// Parses a duration; `nil` for text that is not valid, or longer than a year.
  static func duration(_ text: String) -> Duration? {
    guard let match = text.wholeMatch(of: /([0-9.]+)(h|ms|m|s)/), let value = Double(match.1),
      let (_, milliseconds) = units.first(where: { $0.0 == match.2 })
    else { return nil }
    let total = value * Double(milliseconds)
    return total <= 366 * 24 * 3_600_000 ? .milliseconds(Int(total.rounded())) : nil
  }

  /// Returns the duration in the largest unit that gives a whole number.
  static func written(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    let (unit, size) = units.first { milliseconds > 0 && milliseconds % $0.1 == 0 } ?? ("ms", 1)
    return "\(milliseconds / size)\(unit)"
  }
}

extension Duration {
  /// The duration in milliseconds, rounded.
  package var wholeMilliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
