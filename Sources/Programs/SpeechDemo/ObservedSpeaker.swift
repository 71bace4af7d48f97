import SpeechAudio
import Synchronization

/// A loudspeaker that records what is played, and when the first audio of a text arrived.
final class ObservedSpeaker: AudioOutput {
  private let output: any AudioOutput
  private let recording: SoundTrack
  private let clock: any DeviceClock
  private let first = Mutex<ContinuousClock.Instant?>(nil)

  init(_ output: any AudioOutput, recording: SoundTrack, clock: any DeviceClock) {
    self.output = output
    self.recording = recording
    self.clock = clock
  }

  var name: String { output.name }

  /// The time at which the first audio of the latest text arrived.
  var firstSound: ContinuousClock.Instant? { first.withLock { $0 } }

  func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    first.withLock { $0 = nil }
    return ObservedPlayback(try await output.open(format), of: self)
  }

  /// - Returns: The start of playback on the conversation's clock.
  fileprivate func begin() -> Duration {
    first.withLock { $0 = .now }
    return clock.time
  }

  fileprivate func take(_ buffer: PCMBuffer, at time: Duration) { recording.add(buffer, at: time) }
}

private final class ObservedPlayback: AudioPlayback {
  private let playback: any AudioPlayback
  private let speaker: ObservedSpeaker
  private let progress = Mutex<(start: Duration?, frames: Int)>((nil, 0))

  init(_ playback: any AudioPlayback, of speaker: ObservedSpeaker) {
    self.playback = playback
    self.speaker = speaker
  }

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    let (start, frames) = progress.withLock { progress in
      let start = progress.start ?? speaker.begin()
      defer { progress = (start, progress.frames + buffer.frameCount) }
      return (start, progress.frames)
    }
    speaker.take(buffer, at: start + format.duration(ofFrames: frames))
    try await playback.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }
  func finish() async throws { try await playback.finish() }
  func pause() { playback.pause() }
  func resume() { playback.resume() }
  func stop() { playback.stop() }
}
