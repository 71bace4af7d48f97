/// The heard part of a playback as a value: times in, positions out.
struct PlaybackTimeline: Sendable {
  enum Phase: Sendable, Equatable {
    case running
    case paused
    /// Everything was heard and nothing more will be written.
    case finished
    case stopped
  }

  /// The wait until a frame has been heard.
  enum Wait: Sendable, Equatable {
    case over
    /// The frame will not be heard.
    case never
    /// Nothing moves until audio is written, or playback is resumed or stopped.
    case untilChange
    case until(Duration)
  }

  let format: AudioFormat
  private(set) var phase = Phase.running
  private var written: [Int16] = []
  /// The number of frames that had been heard at that time; from then on they follow the clock.
  private var anchor: (frame: Int, time: Duration)
  /// The stretches heard without a break, each with its start and its first frame.
  private var stretches: [(start: Duration, frame: Int)] = []
  private var dropouts = 0
  private var lostFrames = 0

  init(format: AudioFormat) {
    self.format = format
    anchor = (0, .zero)
  }

  var writtenFrames: Int { written.count }

  /// True if more can be written.
  var acceptsSound: Bool { phase == .running || phase == .paused }

  func playedFrames(at time: Duration) -> Int {
    guard phase == .running else { return anchor.frame }
    return min(written.count, anchor.frame + format.frames(in: time - anchor.time))
  }

  func wait(for frame: Int, at time: Duration) -> Wait {
    let played = playedFrames(at: time)
    if played >= frame { return .over }
    switch phase {
    case .stopped: return .never
    case .finished: return .over
    case .paused: return .untilChange
    case .running:
      return played == written.count
        ? .untilChange : .until(self.time(of: min(frame, written.count)))
    }
  }

  /// The time at which that frame will have been heard, without interruptions.
  private func time(of frame: Int) -> Duration {
    anchor.time + format.duration(ofFrames: frame - anchor.frame)
  }

  mutating func write(_ buffer: PCMBuffer, at time: Duration) {
    guard acceptsSound, !buffer.isEmpty else { return }
    if phase == .running, playedFrames(at: time) == written.count {
      let silent = stretches.isEmpty ? 0 : format.frames(in: time - self.time(of: written.count))
      if silent > 0 {
        dropouts += 1
        lostFrames += silent
      }
      if stretches.isEmpty || silent > 0 { begin(with: written.count, at: time) }
    }
    written.append(contentsOf: buffer.samples)
  }

  mutating func pause(at time: Duration) {
    guard phase == .running else { return }
    anchor = (playedFrames(at: time), time)
    phase = .paused
  }

  mutating func resume(at time: Duration) {
    guard phase == .paused else { return }
    phase = .running
    anchor.time = time
    if !written.isEmpty { begin(with: anchor.frame, at: time) }
  }

  mutating func finish(at time: Duration) {
    guard acceptsSound else { return }
    anchor = (playedFrames(at: time), time)
    phase = .finished
  }

  mutating func stop(at time: Duration) {
    guard acceptsSound else { return }
    anchor = (playedFrames(at: time), time)
    phase = .stopped
    written.removeSubrange(anchor.frame...)
  }

  func statistics(at time: Duration) -> AudioStatistics {
    AudioStatistics(
      frames: playedFrames(at: time), lostFrames: lostFrames, dropouts: dropouts)
  }

  func sounds(from start: Duration = .zero, until end: Duration) -> [MemorySpeaker.Sound] {
    let ends = stretches.dropFirst().map(\.frame) + [playedFrames(at: end)]
    return zip(stretches, ends).compactMap { stretch, last in
      let first = stretch.frame + max(0, format.frames(in: start - stretch.start))
      let last = min(last, stretch.frame + format.frames(in: end - stretch.start))
      guard first < last else { return nil }
      let time =
        first == stretch.frame
        ? stretch.start : stretch.start + format.duration(ofFrames: first - stretch.frame)
      return MemorySpeaker.Sound(
        start: time, audio: PCMBuffer(samples: written[first..<last], format: format))
    }
  }

  private mutating func begin(with frame: Int, at time: Duration) {
    anchor = (frame, time)
    stretches.append((time, frame))
  }
}
