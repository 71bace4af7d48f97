import SpeechConcurrency

/// An output whose audio a second listener receives as well, as it is written.
package struct TappedOutput: AudioOutput {
  private let output: any AudioOutput
  private let makeTap: @Sendable () -> TappedInput.Tap

  /// Wraps an output.
  ///
  /// - Parameter makeTap: creates the tap of each playback that begins. It receives each stretch of
  ///   audio with its time from the first frame, before the output does, and should return quickly.
  package init(_ output: any AudioOutput, makeTap: @escaping @Sendable () -> TappedInput.Tap) {
    self.output = output
    self.makeTap = makeTap
  }

  package var name: String { output.name }

  package func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    TappedPlayback(try await output.open(format), tap: makeTap())
  }
}

private final class TappedPlayback: AudioPlayback {
  private let playback: any AudioPlayback
  private let tap: TappedInput.Tap
  private let frames = Guarded(0)

  init(_ playback: any AudioPlayback, tap: @escaping TappedInput.Tap) {
    self.playback = playback
    self.tap = tap
  }

  var format: AudioFormat { playback.format }
  var statistics: AudioStatistics { playback.statistics }
  var playedFrames: Int { playback.playedFrames }

  func write(_ buffer: PCMBuffer) async throws {
    let before = frames.withLock { frames in
      defer { frames += buffer.frameCount }
      return frames
    }
    tap(buffer, format.duration(ofFrames: before))
    try await playback.write(buffer)
  }

  func waitUntilPlayed(_ frame: Int) async throws { try await playback.waitUntilPlayed(frame) }
  func finish() async throws { try await playback.finish() }
  func pause() { playback.pause() }
  func resume() { playback.resume() }
  func stop() { playback.stop() }
}
