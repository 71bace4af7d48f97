/// A destination of live audio: a loudspeaker, a file, memory.
///
/// Each call of `open(_:)` starts a playback of its own. Laws: frames play in the order written and
/// without loss; `finish()` returns when the last of them has been heard; `stop()` silences within
/// one device buffer; pausing and resuming loses no frame.
public protocol AudioOutput: Sendable {
  /// The name of the device for display.
  var name: String { get }

  /// Opens the device for audio of that format, converting it if the device uses another.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func open(_ format: AudioFormat) async throws -> any AudioPlayback
}

/// One run of an output, from `open(_:)` to `finish()` or `stop()`.
public protocol AudioPlayback: Sendable {
  /// The format that `write(_:)` accepts.
  var format: AudioFormat { get }

  /// The counts so far.
  var statistics: AudioStatistics { get }

  /// The number of written frames that have been heard, as accurately as the device reports it.
  var playedFrames: Int { get }

  /// Writes the next stretch; suspends while the device has enough to play.
  ///
  /// - Throws: `AudioError` when the device is lost and does not return or the audio has another
  ///   format, `CancellationError` after `stop()` and `finish()` or when the task was cancelled.
  func write(_ buffer: PCMBuffer) async throws

  /// Returns when the given frame (counted from the first written one) has been heard; at once
  /// after `finish()`, also for a frame that was never written.
  ///
  /// - Throws: the same errors as `write(_:)`.
  func waitUntilPlayed(_ frame: Int) async throws

  /// Returns when everything written has been heard, and closes the playback.
  ///
  /// - Throws: the same errors as `write(_:)`.
  func finish() async throws

  /// Pauses the audio.
  func pause()

  /// Resumes after `pause()`.
  func resume()

  /// Ends the audio at once and drops the unheard rest. May be called from anywhere, more than
  /// once.
  func stop()
}

extension AudioPlayback {
  /// Checks that the audio has the playback's format; otherwise it would be heard at a wrong pitch.
  package func check(_ buffer: PCMBuffer) throws(AudioError) {
    guard buffer.format == format else {
      throw .conversionFailed(
        reason: "audio of \(buffer.format.sampleRate) Hz was written to a playback of "
          + "\(format.sampleRate) Hz")
    }
  }
}
