import SpeechAudio
import SpeechConcurrency

/// A loudspeaker that records what is really heard from it.
struct RecordedSpeaker: AudioOutput {
  let output: any AudioOutput
  /// Records audio that was heard from the given time on.
  let keep: @Sendable (_ audio: PCMBuffer, _ start: Duration) -> Void
  /// The present on the recording's timeline.
  let now: @Sendable () -> Duration

  var name: String { output.name }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    RecordedPlayback(try await output.open(format), keep: keep, now: now)
  }
}

private final class RecordedPlayback: AudioPlayback {
  private struct State {
    /// The audio that was written and is not recorded yet.
    var rest: PCMBuffer
    /// The number of frames before it.
    var kept = 0
    /// True while audio is being played.
    var isFlowing = true
    /// The end of the recorded audio while no pause follows it.
    var end: Duration?
  }

  /// The duration of the audio that is lost if the program is killed.
  private static let piece = Duration.milliseconds(100)
  /// Devices report their position a little early or late.
  private static let jitter = Duration.milliseconds(50)

  private let playback: any AudioPlayback
  private let record: @Sendable (PCMBuffer, Duration) -> Void
  private let now: @Sendable () -> Duration
  private let state: Guarded<State>

  init(
    _ playback: any AudioPlayback, keep: @escaping @Sendable (PCMBuffer, Duration) -> Void,
    now: @escaping @Sendable () -> Duration
  ) {
    self.playback = playback
    record = keep
    self.now = now
    state = Guarded(State(rest: PCMBuffer(format: playback.format)))
  }

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    try check(buffer)
    var start = 0
    repeat {
      let piece = buffer.slice(start..<start + max(1, format.frames(in: Self.piece)))
      state.withLock { $0.rest.append(piece) }
      try await playback.write(piece)
      keep(until: playback.playedFrames)
      start += piece.frameCount
    } while start < buffer.frameCount
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }

  func finish() async throws {
    try await playback.finish()
    keep(until: state.withLock { $0.kept + $0.rest.frameCount })
  }

  func pause() {
    playback.pause()
    keep(until: playback.playedFrames)
    state.withLock { $0.isFlowing = false }
  }

  func resume() {
    state.withLock { state in
      state.isFlowing = true
      state.end = nil
    }
    playback.resume()
  }

  func stop() {
    let played = playback.playedFrames
    playback.stop()
    keep(until: played)
    state.withLock { $0.isFlowing = false }
  }

  /// Records what was heard since the last call and ends now.
  private func keep(until played: Int) {
    let now = now()
    state.withLock { state in
      let count = min(played - state.kept, state.rest.frameCount)
      guard state.isFlowing, count > 0 else { return }
      let heard = state.rest.slice(0..<count)
      state.rest.samples.removeFirst(count)
      state.kept += count
      var start = now - heard.duration
      if let end = state.end, start - end < Self.jitter { start = end }
      state.end = start + heard.duration
      // With the lock held, so that the pieces are recorded in their order.
      record(heard, start)
    }
  }
}
