import SpeechConcurrency

/// An input whose audio a second listener receives as well: to record it, or to display its level.
///
/// The reader's task calls the tap with each stretch of audio and its time in the capture, before
/// it returns the audio; the tap should return quickly.
package struct TappedInput: AudioInput {
  /// Receives a stretch of audio and its time from the first frame of the capture.
  package typealias Tap = @Sendable (_ sound: PCMBuffer, _ time: Duration) -> Void

  private let input: any AudioInput
  private let makeTap: @Sendable () -> Tap

  /// - Parameter makeTap: creates the tap of each capture that begins.
  package init(_ input: any AudioInput, makeTap: @escaping @Sendable () -> Tap) {
    self.input = input
    self.makeTap = makeTap
  }

  package var name: String { input.name }

  package func checkAvailability() async throws { try await input.checkAvailability() }

  package func open() async throws -> any AudioCapture {
    let capture = try await input.open()
    let (tap, frames) = (makeTap(), Guarded(0))
    @Sendable func pass(_ count: Int) -> Int {
      frames.withLock { frames in
        defer { frames += count }
        return frames
      }
    }
    return MappedCapture(capture) { event in
      switch event {
      case .audio(let buffer):
        tap(buffer, buffer.format.duration(ofFrames: pass(buffer.frameCount)))
      case .gap(let lost): _ = pass(lost)
      case .interrupted, .resumed: break
      }
      return event
    }
  }
}
