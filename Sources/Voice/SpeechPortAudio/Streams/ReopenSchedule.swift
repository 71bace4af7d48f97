/// When to try again to open a lost device: soon at first, then every two seconds.
struct ReopenSchedule {
  private static let first = 100_000_000
  private static let longest = 2_000_000_000

  private var delay = Self.first
  private var next: Int
  private var isTrying = false

  /// A schedule for a device that was lost now (nanoseconds).
  init(now: Int) {
    next = now + Self.first
  }

  /// Whether an attempt is due; if so it counts as begun.
  mutating func begins(now: Int) -> Bool {
    guard !isTrying, now >= next else { return false }
    isTrying = true
    return true
  }

  /// Notes that the attempt failed.
  mutating func failed(now: Int) {
    isTrying = false
    delay = min(delay * 2, Self.longest)
    next = now + delay
  }
}
