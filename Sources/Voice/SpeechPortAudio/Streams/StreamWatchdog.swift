/// Detects from a stream's progress that its device is lost.
///
/// Time without checks does not count: after the process was suspended or the machine slept, the
/// device gets its full timeout again instead of being declared lost.
struct StreamWatchdog {
  /// The longest standstill of a running stream.
  static let timeout = 600_000_000
  /// The longest time until a stream begins: a wireless headset needs more than a second.
  static let startTimeout = 2_500_000_000
  /// The longest time that one check may add.
  private static let longestLook = 100_000_000

  private var progress = 0
  private var lastLook: Int
  private var still = 0
  /// True after the first progress of the device.
  private(set) var hasBegun = false

  /// Watches a stream that starts now (nanoseconds).
  init(now: Int) {
    lastLook = now
  }

  /// Records the stream's counter, and returns true if the stream is to be abandoned.
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
    return still > (hasBegun ? Self.timeout : Self.startTimeout)
  }
}
