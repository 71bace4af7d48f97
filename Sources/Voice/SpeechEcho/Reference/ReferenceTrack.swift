/// The audio and the times of one playback, estimated from its counter of played frames: frames and
/// times in, audio at a time out.
///
/// Times are *ticks*: frames of the canceller's rate since the clock began. A device plays at a
/// constant pace, so readings of its counter are treated as one continuous stretch as long as they
/// fit. A pause, an underrun or a lost device begins a new stretch.
struct ReferenceTrack {
  /// Audio that was heard at a constant pace.
  private struct Stretch {
    /// The first frame, and the frame after the last; `nil` while it continues.
    var start: Int
    var end: Int?
    /// The tick at which frame 0 would have been heard.
    var origin: Int
  }

  /// The deviation of a counter, in seconds, at which it is assumed to have stopped.
  private static let tolerance = 0.010
  /// The clock drift in seconds at which the reference is shifted. The canceller has to adapt to
  /// each shift.
  private static let driftStep = 0.001
  /// The time in seconds for which a counter has to stand still until the audio is held.
  private static let standstill = 0.005

  /// Ticks per second, and ticks per frame of the playback.
  private let rate: Double
  private let ratio: Double

  private var samples: [Int16] = []
  /// The number of the first sample.
  private var base = 0
  private var stretches: [Stretch] = []
  private var isRunning = false
  /// The last reading.
  private var seen: (frame: Double, tick: Double) = (0, 0)
  /// The recent average deviation of the counter, in ticks.
  private var drift = 0.0
  /// The number of the playback's frames that were written.
  private(set) var written = 0

  init(rate: Int, playbackRate: Int, tick: Double) {
    self.rate = Double(rate)
    ratio = Double(rate) / Double(playbackRate)
    seen.tick = tick
  }

  /// Appends audio that is converted to the canceller's rate, with its number of frames in the
  /// playback.
  mutating func append(_ converted: [Int16], frames: Int) {
    samples += converted
    written += frames
  }

  /// Records the number of frames that were played at a tick.
  mutating func observe(played: Int, at tick: Double) {
    let frame = Double(played) * ratio
    let (elapsed, advance) = (tick - seen.tick, frame - seen.frame)
    guard elapsed > 0 else { return }
    if advance <= 0 {
      // Two close readings are inconclusive; the next one is compared with the same earlier one.
      guard elapsed >= Self.standstill * rate else { return }
      hold(at: seen.frame)
      seen.tick = tick
      return
    }
    defer { seen = (frame, tick) }
    if played >= written {
      // It ran out at an unknown time in between, which is not needed.
      if !isRunning { begin(with: seen.frame, at: seen.tick) }
      hold(at: frame)
      return
    }
    guard isRunning, let origin = stretches.last?.origin else {
      begin(with: seen.frame, at: tick - advance)
      return
    }
    let error = tick - frame - Double(origin)
    if abs(error) > Self.tolerance * rate {
      hold(at: seen.frame)
      begin(with: seen.frame, at: tick - advance)
      return
    }
    drift += (error - drift) * min(1, elapsed / rate)
    if abs(drift) > Self.driftStep * rate {
      let step = drift
      hold(at: frame)
      begin(with: frame, at: frame + Double(origin) + step)
    }
  }

  /// Ends the track: nothing will be played after the last reading.
  mutating func end() {
    if isRunning { hold(at: seen.frame) }
  }

  /// Adds the audio that was heard from a tick.
  func mix(into sound: inout [Int32], from tick: Int) {
    for (index, stretch) in stretches.enumerated() {
      let first = max(stretch.start, tick - stretch.origin, base)
      // If a drift correction makes two stretches overlap, the later one takes precedence.
      let next = index + 1 < stretches.count ? stretches[index + 1] : nil
      let last = min(
        stretch.end ?? .max, tick + sound.count - stretch.origin, base + samples.count,
        next.map { $0.start + $0.origin - stretch.origin } ?? .max)
      guard first < last else { continue }
      for frame in first..<last {
        sound[frame + stretch.origin - tick] += Int32(samples[frame - base])
      }
    }
  }

  /// Discards what was heard before a tick.
  mutating func forget(before tick: Int) {
    stretches.removeAll { stretch in stretch.end.map { $0 + stretch.origin < tick } ?? false }
    let needed = stretches.first.map { max($0.start, tick - $0.origin) } ?? Int(seen.frame)
    let surplus = min(needed - base, samples.count)
    // Moving the rest to the front is worthwhile only occasionally.
    guard surplus > samples.count / 2, surplus > 0 else { return }
    samples.removeFirst(surplus)
    base += surplus
  }

  /// True if nothing is left that can be requested.
  var isForgotten: Bool { stretches.isEmpty }

  private mutating func begin(with frame: Double, at tick: Double) {
    stretches.append(
      Stretch(
        start: Int(frame.rounded()), end: nil, origin: Int((tick - frame).rounded())))
    drift = 0
    isRunning = true
  }

  private mutating func hold(at frame: Double) {
    guard isRunning else { return }
    isRunning = false
    stretches[stretches.count - 1].end = Int(frame.rounded())
  }
}
