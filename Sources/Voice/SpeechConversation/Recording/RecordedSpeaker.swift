import SpeechAudio
import SpeechConcurrency

/// A loudspeaker that records what is really heard from it.
struct RecordedSpeaker: AudioOutput {
  let output: any AudioOutput
  let track: SoundTrack
  /// The present on the track's timeline.
  let now: @Sendable () -> Duration

  var name: String { output.name }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    RecordedPlayback(try await output.open(format), track: track, now: now)
  }
}

private final class RecordedPlayback: AudioPlayback {
  private struct State {
    var written: PCMBuffer
    /// The end of the audio that is on the track or is known not to have been heard.
    var kept = 0
    /// True while audio is being played.
    var isFlowing = true
  }

  private let playback: any AudioPlayback
  private let track: SoundTrack
  private let now: @Sendable () -> Duration
  private let state: Guarded<State>

  init(
    _ playback: any AudioPlayback, track: SoundTrack, now: @escaping @Sendable () -> Duration
  ) {
    self.playback = playback
    self.track = track
    self.now = now
    state = Guarded(State(written: PCMBuffer(format: playback.format)))
  }

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    try check(buffer)
    state.withLock { $0.written.append(buffer) }
    try await playback.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }

  func finish() async throws {
    try await playback.finish()
    keep(until: state.withLock { $0.written.frameCount })
  }

  func pause() {
    playback.pause()
    keep(until: playback.playedFrames)
    state.withLock { $0.isFlowing = false }
  }

  func resume() {
    state.withLock { $0.isFlowing = true }
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
    let end = now()
    let heard = state.withLock { state -> PCMBuffer? in
      guard state.isFlowing, played > state.kept else { return nil }
      defer { state.kept = played }
      return state.written.slice(state.kept..<played)
    }
    if let heard { track.add(heard, at: end - heard.duration) }
  }
}
