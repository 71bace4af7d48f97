/// The times of attempts to open a lost device again: soon at first, later every two seconds.
struct ReopenSchedule {
  private static let first = 100_000_000
  private static let longest = 2_000_000_000

  private var delay = Self.first
  private var next: Int
  private var isTrying = false

  /// Creates a schedule for a device that was lost now (nanoseconds).
  init(now: Int) {
    next = now + Self.first
  }

  /// Returns true if an attempt is due, which then counts as begun.
  mutating func begins(now: Int) -> Bool {
    guard !isTrying, now >= next else { return false }
    isTrying = true
    return true
  }

  mutating func failed(now: Int) {
    isTrying = false
    delay = min(delay * 2, Self.longest)
    next = now + delay
  }
}

/// An action for the owner of a stream to perform.
enum StreamAction: Equatable {
  /// Release the stream, because its device is lost.
  case letGo
  /// Try to open the device again, and report the outcome.
  case reopen
}
