/// A source of live audio: a microphone, a file, a script.
///
/// Each call of `open()` starts a capture of its own, and capturing can be started again after
/// `stop()`. Laws: frames arrive in order and without loss unless a `.gap` reports it, a capture
/// ends by returning `nil`, and everything captured before `stop()` is still delivered.
public protocol AudioInput: Sendable {
  /// The name of the device for display.
  var name: String { get }

  /// Checks whether the input can be opened now, without capturing from it.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func checkAvailability() async throws

  /// Starts capturing.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func open() async throws -> any AudioCapture
}

extension AudioInput {
  /// Does nothing, for inputs that need no permission.
  public func checkAvailability() async throws {}
}

/// One run of an input, from `open()` to its end.
public protocol AudioCapture: Sendable {
  /// The format of the buffers that `read()` returns.
  var format: AudioFormat { get }

  /// The counts so far.
  var statistics: AudioStatistics { get }

  /// Waits for the next event; `nil` when the source has ended or was stopped and everything
  /// captured has been delivered. Supports one reader.
  ///
  /// - Throws: `AudioError` when the source failed permanently, `CancellationError` when the task
  ///   was cancelled.
  func read() async throws -> AudioCaptureEvent?

  /// Ends the capture. Audio that was captured before can still be read. May be called from
  /// anywhere, more than once.
  func stop()
}

/// An event of a capture.
public enum AudioCaptureEvent: Sendable, Equatable {
  /// The next stretch of audio.
  case audio(PCMBuffer)
  /// That many frames were lost before the next stretch.
  case gap(frames: Int)
  /// The device was disconnected; the capture waits for its return.
  case interrupted(AudioError)
  /// The device is back.
  case resumed
}

/// The counts of one capture or playback.
public struct AudioStatistics: Sendable, Equatable {
  /// The number of transferred frames.
  public var frames: Int
  /// The frames that were lost (input) or filled with silence (output) within the audio.
  public var lostFrames: Int
  /// The number of overruns of an input, or underruns of an output.
  public var dropouts: Int
  /// The delay between the device and the program, as the device reports it.
  public var latency: Duration

  /// Creates counts, which are zero by default.
  public init(
    frames: Int = 0, lostFrames: Int = 0, dropouts: Int = 0, latency: Duration = .zero
  ) {
    self.frames = frames
    self.lostFrames = lostFrames
    self.dropouts = dropouts
    self.latency = latency
  }
}
