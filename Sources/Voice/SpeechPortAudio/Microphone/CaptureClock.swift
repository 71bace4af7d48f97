/// Detects lost audio by comparing the delivered frames with the elapsed time, because sound
/// servers lose audio without reporting it.
///
/// Deliveries jitter: after a late one, audio seems to be missing until the next ones compensate.
/// Therefore only the smallest deficit of each second counts. That deficit may drift, because two
/// clocks never run equally; a jump is a loss.
struct CaptureClock {
  /// The deficit in seconds that counts as a loss.
  static let tolerance = 0.05
  /// The relative difference that is allowed between a device's clock and ours.
  static let drift = 0.001
  private static let window = 1_000_000_000

  private let sampleRate: Double
  private var origin: Int?
  private var windowEnd = 0
  private var smallest = Double.infinity
  private var baseline: Double?

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// Records the number of frames delivered so far, and returns the number of frames found lost.
  ///
  /// - Parameter now: the monotonic clock in nanoseconds.
  mutating func missing(delivered: Int, now: Int) -> Int {
    guard delivered > 0 else { return 0 }
    guard let origin else {
      self.origin = now
      windowEnd = now + Self.window
      return 0
    }
    let deficit = Double(now - origin) / 1e9 - Double(delivered) / sampleRate
    smallest = min(smallest, deficit)
    guard now >= windowEnd else { return 0 }
    let seconds = Double(now - windowEnd + Self.window) / 1e9
    defer {
      windowEnd = now + Self.window
      smallest = .infinity
    }
    // The first second shows the delivery pattern of the device.
    guard let expected = baseline else {
      baseline = smallest
      return 0
    }
    let lost = smallest - expected
    if lost > Self.tolerance {
      baseline = smallest
      return Int((lost * sampleRate).rounded())
    }
    // A smaller deficit than expected means that deliveries were late, and is the new baseline at
    // once.
    baseline = expected + min(lost, Self.drift * seconds)
    return 0
  }
}
