/// The arrival times of a capture's frames, estimated from frame counts: counts and times in, a
/// time for each frame out. Times are ticks, frames of the canceller's rate since the clock began.
///
/// Deliveries are sometimes late and never early, so the earliest one of the last seconds is
/// decisive.
struct CaptureTimeline {
  /// The seconds for which the earliest delivery counts: short enough for clock drift.
  private static let window = 4.0
  /// The deviation in seconds at which the estimate changes; see `ReferenceTrack`.
  private static let step = 0.001

  private let rate: Double
  /// The smallest delay of a frame relative to its number, in this window and in the previous one.
  private var earliest = Double.infinity
  private var earliestBefore = Double.infinity
  private var windowEnd: Double?
  private var offset: Double?

  init(rate: Int) {
    self.rate = Double(rate)
  }

  /// Records the number of frames that had arrived at a tick.
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

  /// The tick at which a frame arrived.
  func tick(of frame: Int) -> Int { frame + Int((offset ?? 0).rounded()) }
}
