/// What one playback has played and when, found from looking at its counter of played frames now and
/// then: frames and times in, sound at a time out.
///
/// Times are *ticks*: frames of the canceller's rate since the clock began. A device plays at an even
/// pace, so what is seen of its counter is taken for one unbroken stretch as long as it fits; a pause, an
/// underrun or a lost device begins a new one.
struct ReferenceTrack {
  /// Sound that was heard at an even pace.
  private struct Stretch {
    /// The frame it begins with, and the one before which it ends; `nil` while it goes on.
    var start: Int
    var end: Int?
    /// The tick at which frame 0 would have been heard.
    var origin: Int
  }

  /// By how much a counter may be off, in seconds, before it is believed to have stood still.
  private static let tolerance = 0.010
  /// How far the two clocks drift apart, in seconds, before the reference follows; each such step is
  /// something new for the canceller.
  private static let driftStep = 0.001
  /// For how long a counter has to stand for the sound to be held, in seconds.
  private static let standstill = 0.005

  /// Ticks a second, and ticks for a frame of the playback.
  private let rate: Double
  private let ratio: Double

  private var samples: [Int16] = []
  /// The number of the first of them.
  private var base = 0
  private var stretches: [Stretch] = []
  private var isRunning = false
  /// What was seen last.
  private var seen: (frame: Double, tick: Double) = (0, 0)
  /// How far the counter is ahead or behind of late, in ticks, on average.
  private var drift = 0.0
  /// How many frames of the playback were written.
  private(set) var written = 0

  init(rate: Int, playbackRate: Int, tick: Double) {
    self.rate = Double(rate)
    ratio = Double(rate) / Double(playbackRate)
    seen.tick = tick
  }

  /// Adds sound at the end, so many frames of the playback, converted to the canceller's rate.
  mutating func append(_ converted: [Int16], frames: Int) {
    samples += converted
    written += frames
  }

  /// Takes note of how many frames of the playback were played at that tick.
  mutating func observe(played: Int, at tick: Double) {
    let frame = Double(played) * ratio
    let (elapsed, advance) = (tick - seen.tick, frame - seen.frame)
    guard elapsed > 0 else { return }
    if advance <= 0 {
      // Two looks close to each other tell nothing; the next one is compared with the same.
      guard elapsed >= Self.standstill * rate else { return }
      hold(at: seen.frame)
      seen.tick = tick
      return
    }
    defer { seen = (frame, tick) }
    if played >= written {
      // It ran out somewhere in between, so the time tells nothing; nor is it needed.
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

  /// No more will be played than was seen last.
  mutating func end() {
    if isRunning { hold(at: seen.frame) }
  }

  /// Adds what was heard from that tick on.
  func mix(into sound: inout [Int32], from tick: Int) {
    for (index, stretch) in stretches.enumerated() {
      let first = max(stretch.start, tick - stretch.origin, base)
      // Where a step of the drift lets two overlap, the later one counts.
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

  /// Lets go of what was heard before that tick.
  mutating func forget(before tick: Int) {
    stretches.removeAll { stretch in stretch.end.map { $0 + stretch.origin < tick } ?? false }
    let needed = stretches.first.map { max($0.start, tick - $0.origin) } ?? Int(seen.frame)
    let surplus = min(needed - base, samples.count)
    // Moving what stays is worth it now and then only.
    guard surplus > samples.count / 2, surplus > 0 else { return }
    samples.removeFirst(surplus)
    base += surplus
  }

  /// Whether nothing is left that anybody may ask for.
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
