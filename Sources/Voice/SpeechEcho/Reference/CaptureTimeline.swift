/// When the frames of a capture came in, from looking at how many there were: counts and times in, a
/// time for each frame out. In ticks, frames of the canceller's rate since the clock began.
///
/// Deliveries are late now and then and never early, so the earliest one of the last seconds tells.
struct CaptureTimeline {
  /// For how long the earliest delivery counts, in seconds: short enough for clocks that drift apart.
  private static let window = 4.0
  /// What the time has to be off before it changes, in seconds; see `ReferenceTrack`.
  private static let step = 0.001

  private let rate: Double
  /// By how much later than its number a frame came, at least: in this window and in the one before.
  private var earliest = Double.infinity
  private var earliestBefore = Double.infinity
  private var windowEnd: Double?
  private var offset: Double?

  init(rate: Int) {
    self.rate = Double(rate)
  }

  /// Takes note of how many frames had come at that tick.
  mutating func observe(frames: Double, at tick: Double) {
    if tick >= windowEnd ?? tick {
      earliestBefore = earliest
      earliest = .infinity
      windowEnd = tick + Self.window * rate
    }
    earliest = min(earliest, tick - frames)
    let best = min(earliest, earliestBefore)
    if abs(best - (offset ?? .infinity)) > Self.step * rate { offset = best }
  }

  /// When that frame came in.
  func tick(of frame: Int) -> Int { frame + Int((offset ?? 0).rounded()) }
}
