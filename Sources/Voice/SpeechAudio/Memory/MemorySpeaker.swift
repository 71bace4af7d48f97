import SpeechConcurrency

/// A loudspeaker in memory: it plays at the pace of its clock and keeps the audio with its times.
///
/// ```swift
/// let speaker = MemorySpeaker()
/// try await VoiceSynthesisProvider(engine: voice, configuration: .default, output: speaker)
///   .speak(text: "Hello.", voice: nil)
/// print(speaker.sounds[0].audio.duration)
/// ```
public final class MemorySpeaker: AudioOutput {
  /// A stretch of audio that was played without a break.
  public struct Sound: Sendable, Equatable {
    /// The start on the speaker's clock.
    public var start: Duration
    /// The audio that was played.
    public var audio: PCMBuffer
  }

  /// The name `memory speaker`.
  public let name = "memory speaker"

  private let clock: any DeviceClock
  private let buffer: Duration
  private let keepsSounds: Bool
  private let playbacks = Guarded<[Guarded<PlaybackTimeline>]>([])

  /// Creates a speaker that accepts that much audio in advance.
  public convenience init(
    clock: any DeviceClock = VirtualClock(), buffer: Duration = .milliseconds(100)
  ) {
    self.init(clock: clock, buffer: buffer, keepsSounds: true)
  }

  /// Creates a speaker that, unless it keeps its sounds, uses no memory for what has been played.
  package init(
    clock: any DeviceClock, buffer: Duration = .milliseconds(100), keepsSounds: Bool
  ) {
    self.clock = clock
    self.buffer = buffer
    self.keepsSounds = keepsSounds
  }

  /// All audio that has been played so far, in the order of its start.
  public var sounds: [Sound] {
    let now = clock.time
    return playbacks.withLock { $0 }
      .flatMap { timeline in timeline.withLock { $0.sounds(until: now) } }
      .sorted { $0.start < $1.start }
  }

  /// The audio that was played between two times on the speaker's clock, cut at both. The cost does
  /// not depend on the amount of earlier audio.
  public func sounds(between start: Duration, and end: Duration) -> [Sound] {
    let end = min(end, clock.time)
    guard start < end else { return [] }
    return playbacks.withLock { $0 }
      .flatMap { timeline in timeline.withLock { $0.sounds(from: start, until: end) } }
      .sorted { $0.start < $1.start }
  }

  /// Begins a playback in that format.
  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let timeline = Guarded(PlaybackTimeline(format: format))
    if keepsSounds { playbacks.withLock { $0.append(timeline) } }
    return MemoryPlayback(timeline: timeline, format: format, clock: clock, buffer: buffer)
  }
}

private final class MemoryPlayback: AudioPlayback {
  let format: AudioFormat
  /// Shared with the speaker, which keeps it.
  private let timeline: Guarded<PlaybackTimeline>
  private let clock: any DeviceClock
  private let bufferFrames: Int
  /// Present while audio is played. A paused playback must not hold a virtual clock, or nothing
  /// else moves.
  private let timer: Guarded<(any DeviceTimer)?>
  private let followers = CancellableWaits()
  private let change = ChangeSignal()

  init(
    timeline: Guarded<PlaybackTimeline>, format: AudioFormat, clock: any DeviceClock,
    buffer: Duration
  ) {
    self.timeline = timeline
    self.format = format
    self.clock = clock
    bufferFrames = format.frames(in: buffer)
    timer = Guarded(clock.makeTimer())
  }

  deinit { releaseClock() }

  var statistics: AudioStatistics {
    let now = clock.time
    return timeline.withLock { $0.statistics(at: now) }
  }

  var playedFrames: Int {
    let now = clock.time
    return timeline.withLock { $0.playedFrames(at: now) }
  }

  func write(_ buffer: PCMBuffer) async throws {
    try Task.checkCancellation()
    try check(buffer)
    guard timeline.withLock({ $0.acceptsSound }) else { throw CancellationError() }
    update { $0.write(buffer, at: $1) }
    try await wait(until: timeline.withLock { $0.writtenFrames } - bufferFrames)
  }

  func finish() async throws {
    defer { releaseClock() }
    try await wait(until: timeline.withLock { $0.writtenFrames })
    update { $0.finish(at: $1) }
  }

  func waitUntilPlayed(_ frame: Int) async throws {
    let clock = clock
    try await wait(for: frame) { [followers] time in
      try await followers.run { try await clock.sleep(until: time) }
    }
  }

  func pause() {
    update { $0.pause(at: $1) }
    releaseClock()
  }

  func resume() {
    let isPaused = timeline.withLock { $0.phase == .paused }
    guard isPaused else { return }
    timer.withLock { $0 = clock.makeTimer() }
    update { $0.resume(at: $1) }
  }

  func stop() {
    update { $0.stop(at: $1) }
    releaseClock()
    followers.cancelAll()
  }

  /// The writer's wait, which holds the clock whenever it is not asleep.
  private func wait(until frame: Int) async throws {
    try await wait(for: frame) { time in
      do {
        try await currentTimer?.sleep(until: time)
      } catch {
        // Pausing and stopping end the sleep as well; the next round finds out which it was.
        try Task.checkCancellation()
      }
    }
  }

  private func wait(
    for frame: Int, sleep: (_ time: Duration) async throws -> Void
  ) async throws {
    while true {
      let version = change.version
      let now = clock.time
      switch timeline.withLock({ $0.wait(for: frame, at: now) }) {
      case .over: return
      case .never: throw CancellationError()
      case .untilChange: try await change.wait(after: version)
      case .until(let time): try await sleep(time)
      }
    }
  }

  private var currentTimer: (any DeviceTimer)? { timer.withLock { $0 } }

  private func update(_ body: (inout PlaybackTimeline, Duration) -> Void) {
    let now = clock.time
    timeline.withLock { body(&$0, now) }
    change.notify()
  }

  private func releaseClock() {
    let released = timer.withLock { timer in
      defer { timer = nil }
      return timer
    }
    released?.cancel()
  }
}
