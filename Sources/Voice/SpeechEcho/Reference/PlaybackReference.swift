import SpeechAudio
import SpeechConcurrency

/// The audio that all playbacks of a loudspeaker have played, on a common timeline.
final class PlaybackReference: Sendable {
  private struct Entry {
    var track: ReferenceTrack
    /// The playback whose counter is read; `nil` after its end.
    var playback: (any AudioPlayback)?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var nextID = 0
  }

  /// The seconds for which played audio is kept: slightly longer than a microphone keeps audio for
  /// its reader.
  private static let memory = 35.0

  let format: AudioFormat
  private let clock: any DeviceClock
  private let state = Guarded(State())

  init(format: AudioFormat, clock: any DeviceClock) {
    self.format = format
    self.clock = clock
  }

  /// The time on the clock, in frames of the format.
  var now: Double { clock.time.inSeconds * Double(format.sampleRate) }

  /// Adds a playback and returns its number.
  func add(_ playback: any AudioPlayback) -> Int {
    let track = ReferenceTrack(
      rate: format.sampleRate, playbackRate: playback.format.sampleRate, tick: now)
    return state.withLock { state in
      state.nextID += 1
      state.entries[state.nextID] = Entry(track: track, playback: playback)
      return state.nextID
    }
  }

  /// Adds audio that is about to be written to a playback.
  func append(_ converted: PCMBuffer, frames: Int, to id: Int) {
    state.withLock { state in state.entries[id]?.track.append(converted.samples, frames: frames) }
  }

  /// Reads the positions of the playbacks.
  func observe() {
    let playbacks = state.withLock { state in state.entries.compactMapValues(\.playback) }
    for (id, playback) in playbacks {
      guard let (played, tick) = look(at: playback) else { continue }
      state.withLock { state in state.entries[id]?.track.observe(played: played, at: tick) }
    }
    let oldest = Int(now - Self.memory * Double(format.sampleRate))
    state.withLock { state in
      for id in state.entries.keys { state.entries[id]?.track.forget(before: oldest) }
      state.entries = state.entries.filter { $1.playback != nil || !$1.track.isForgotten }
    }
  }

  /// Ends a playback; its audio is kept.
  func end(_ id: Int) {
    state.withLock { state in
      state.entries[id]?.playback = nil
      state.entries[id]?.track.end()
    }
  }

  /// Returns the audio that was heard from a tick.
  func sound(from tick: Int, count: Int) -> PCMBuffer {
    var sum = [Int32](repeating: 0, count: count)
    state.withLock { state in
      for entry in state.entries.values { entry.track.mix(into: &sum, from: tick) }
    }
    return PCMBuffer(samples: sum.map(Int16.init(clamping:)), format: format)
  }

  /// Reads a counter and the time; `nil` if the thread was suspended between the two.
  private func look(at playback: any AudioPlayback) -> (played: Int, tick: Double)? {
    for _ in 0..<3 {
      let before = now
      let played = playback.playedFrames
      if now - before < 0.002 * Double(format.sampleRate) { return (played, before) }
    }
    return nil
  }
}
