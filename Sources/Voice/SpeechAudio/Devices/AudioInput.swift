/// Something that can be listened to: a microphone, a file, a script.
///
/// `open()` starts capturing; each call gives a capture of its own, and capturing again after `stop()`
/// works. Laws: frames arrive in order and without loss unless a `.gap` says so, a capture ends by
/// returning `nil`, and everything captured before `stop()` is still delivered.
public protocol AudioInput: Sendable {
  /// What a person would call the device.
  var name: String { get }

  /// Finds out whether the input could be opened now, without taking anything from it.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func checkAvailability() async throws

  /// Starts capturing.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func open() async throws -> any AudioCapture
}

extension AudioInput {
  /// Nothing to find out: for inputs that nobody has to permit.
  public func checkAvailability() async throws {}
}

/// One run of an input, from `open()` to its end.
public protocol AudioCapture: Sendable {
  /// The format of the buffers that `read()` gives.
  var format: AudioFormat { get }

  /// What has been counted so far.
  var statistics: AudioStatistics { get }

  /// Waits for the next event; `nil` when the source has ended or was stopped and all that was
  /// captured has been delivered. For one reader.
  ///
  /// - Throws: `AudioError` when the source failed for good, `CancellationError` when the task was
  ///   cancelled.
  func read() async throws -> AudioCaptureEvent?

  /// Ends the capture. What was captured before remains to be read. May be called from anywhere, more
  /// than once.
  func stop()
}

/// What a capture has to tell.
public enum AudioCaptureEvent: Sendable, Equatable {
  /// The next stretch of sound.
  case audio(PCMBuffer)
  /// So many frames were lost before the next stretch.
  case gap(frames: Int)
  /// The device went away; the capture waits for its return.
  case interrupted(AudioError)
  /// The device is back.
  case resumed
}

/// Counts of one capture or playback.
public struct AudioStatistics: Sendable, Equatable {
  /// Frames that went through.
  public var frames: Int
  /// Frames that were lost (input) or had to be filled with silence (output) in the middle of sound.
  public var lostFrames: Int
  /// How often that happened: overruns of an input, underruns of an output.
  public var dropouts: Int
  /// The delay between the device and the program, as the device reports it.
  public var latency: Duration

  /// Counts, all zero unless given.
  public init(
    frames: Int = 0, lostFrames: Int = 0, dropouts: Int = 0, latency: Duration = .zero
  ) {
    self.frames = frames
    self.lostFrames = lostFrames
    self.dropouts = dropouts
    self.latency = latency
  }
}
