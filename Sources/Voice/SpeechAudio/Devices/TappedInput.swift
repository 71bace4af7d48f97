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
    TappedCapture(try await input.open(), tap: makeTap())
  }
}

private final class TappedCapture: AudioCapture {
  private let capture: any AudioCapture
  private let tap: TappedInput.Tap
  private let frames = Guarded(0)

  init(_ capture: any AudioCapture, tap: @escaping TappedInput.Tap) {
    self.capture = capture
    self.tap = tap
  }

  var format: AudioFormat { capture.format }
  var statistics: AudioStatistics { capture.statistics }

  func read() async throws -> AudioCaptureEvent? {
    let event = try await capture.read()
    switch event {
    case .audio(let buffer)?: tap(buffer, format.duration(ofFrames: pass(buffer.frameCount)))
    case .gap(let lost)?: _ = pass(lost)
    case .interrupted?, .resumed?, nil: break
    }
    return event
  }

  func stop() { capture.stop() }

  /// - Returns: the number of frames before these.
  private func pass(_ count: Int) -> Int {
    frames.withLock { frames in
      defer { frames += count }
      return frames
    }
  }
}
