/// Finds lost sound by comparing what a device delivered with the time that went by, because sound
/// servers lose sound without saying so.
///
/// Deliveries jitter: a late one makes sound look lost until the next ones make up for it. So only the
/// smallest deficit of each second counts. That one may creep, as two clocks never run alike; a jump is
/// a loss.
struct CaptureClock {
  /// What has to be missing to be called lost, in seconds.
  static let tolerance = 0.05
  /// The share by which a device's clock may differ from ours.
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

  /// Takes note of how many frames have come so far and tells how many were found lost.
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
    // The first second shows how the device delivers.
    guard let expected = baseline else {
      baseline = smallest
      return 0
    }
    let lost = smallest - expected
    if lost > Self.tolerance {
      baseline = smallest
      return Int((lost * sampleRate).rounded())
    }
    // More than expected is what was late, and is the new measure at once.
    baseline = expected + min(lost, Self.drift * seconds)
    return 0
  }
}
