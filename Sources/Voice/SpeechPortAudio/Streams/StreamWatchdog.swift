/// Tells from a stream's progress whether its device is gone.
///
/// Time in which nobody looked does not count: after the process was held up, or the machine slept, the
/// device gets its full time again instead of being declared lost.
struct StreamWatchdog {
  /// How long a running stream may stand still.
  static let patience = 600_000_000
  /// How long a stream may take to begin: a wireless headset needs more than a second.
  static let startPatience = 2_500_000_000
  /// The most that one look may add.
  private static let longestLook = 100_000_000

  private var progress = 0
  private var lastLook: Int
  private var still = 0
  /// Whether the device has done anything yet.
  private(set) var hasBegun = false

  /// Watches a stream that is started now (nanoseconds).
  init(now: Int) {
    lastLook = now
  }

  /// Takes note of the stream's counter and tells whether the stream is to be given up.
  mutating func isLost(progress: Int, now: Int) -> Bool {
    let elapsed = min(max(0, now - lastLook), Self.longestLook)
    lastLook = now
    if progress != self.progress {
      self.progress = progress
      hasBegun = true
      still = 0
      return false
    }
    still += elapsed
    return still > (hasBegun ? Self.patience : Self.startPatience)
  }
}
