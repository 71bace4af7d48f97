import SpeechConcurrency

/// An input whose sound somebody else hears as well: to record it, or to show how loud it is.
///
/// ```swift
/// let metered = TappedInput(PortAudioMicrophone()) {
///   { sound, _ in meter.show(sound.level) }
/// }
/// ```
/// The tap is called by whoever reads, with each stretch of sound and its place in the capture, before the
/// reader has it; it should not take long.
package struct TappedInput: AudioInput {
  /// Hears a stretch of sound that begins so long after the capture's first frame.
  package typealias Tap = @Sendable (_ sound: PCMBuffer, _ time: Duration) -> Void

  private let input: any AudioInput
  private let makeTap: @Sendable () -> Tap

  /// That input.
  ///
  /// - Parameter makeTap: called with each capture that begins, for what hears its sound.
  package init(_ input: any AudioInput, makeTap: @escaping @Sendable () -> Tap) {
    self.input = input
    self.makeTap = makeTap
  }

  /// The input's.
  package var name: String { input.name }

  /// Asks the input.
  package func checkAvailability() async throws { try await input.checkAvailability() }

  /// Starts capturing.
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

  /// - Returns: how many frames came before.
  private func pass(_ count: Int) -> Int {
    frames.withLock { frames in
      defer { frames += count }
      return frames
    }
  }
}
