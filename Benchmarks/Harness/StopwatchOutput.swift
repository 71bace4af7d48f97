import Foundation
import SpeechKit

/// A silent loudspeaker that reports the time of each write.
struct StopwatchOutput: AudioOutput {
  let name = "stopwatch"
  let writes: AsyncStream<ContinuousClock.Instant>
  private let note: AsyncStream<ContinuousClock.Instant>.Continuation
  private let speaker = MemorySpeaker(clock: RealClock())

  init() {
    (writes, note) = AsyncStream.makeStream()
  }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    StopwatchPlayback(playback: try await speaker.open(format), note: note)
  }
}

private struct StopwatchPlayback: AudioPlayback {
  let playback: any AudioPlayback
  let note: AsyncStream<ContinuousClock.Instant>.Continuation

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    note.yield(.now)
    try await playback.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }
  func finish() async throws { try await playback.finish() }
  func pause() { playback.pause() }
  func resume() { playback.resume() }
  func stop() { playback.stop() }
}
