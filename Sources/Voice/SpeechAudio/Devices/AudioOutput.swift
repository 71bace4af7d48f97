/// Something that sound can be played on: speakers, a file, memory.
///
/// `open(_:)` gives a playback of its own per utterance. Laws: frames play in the order written and
/// without loss; `finish()` returns when the last of them has been heard; `stop()` silences within one
/// device buffer; pausing and resuming loses not a frame.
public protocol AudioOutput: Sendable {
  /// What a person would call the device.
  var name: String { get }

  /// Opens the device for sound of that format, converting where the device wants another.
  ///
  /// - Throws: `AudioError` when there is no such device or it cannot be opened.
  func open(_ format: AudioFormat) async throws -> any AudioPlayback
}

/// One run of an output, from `open(_:)` to `finish()` or `stop()`.
public protocol AudioPlayback: Sendable {
  /// The format that `write(_:)` takes.
  var format: AudioFormat { get }

  /// What has been counted so far.
  var statistics: AudioStatistics { get }

  /// How many of the written frames have been heard, as well as the device can tell.
  var playedFrames: Int { get }

  /// Hands over the next stretch; suspends while the device has enough to play.
  ///
  /// - Throws: `AudioError` when the device is lost and does not return or the sound is of another
  ///   format, `CancellationError` after `stop()` and `finish()` or when the task was cancelled.
  func write(_ buffer: PCMBuffer) async throws

  /// Returns when the given frame (counted from the first written one) has been heard; at once after
  /// `finish()`, also for a frame that was never written.
  ///
  /// - Throws: as `write(_:)` does.
  func waitUntilPlayed(_ frame: Int) async throws

  /// Returns when everything written has been heard, and closes the playback.
  ///
  /// - Throws: as `write(_:)` does.
  func finish() async throws

  /// Holds the sound where it is.
  func pause()

  /// Goes on where `pause()` held.
  func resume()

  /// Ends the sound at once and drops what was not heard. May be called from anywhere, more than once.
  func stop()
}

extension AudioPlayback {
  /// Refuses sound of another format than the playback's, which would be heard at a wrong pitch.
  package func check(_ buffer: PCMBuffer) throws(AudioError) {
    guard buffer.format == format else {
      throw .conversionFailed(
        reason: "sound of \(buffer.format.sampleRate) Hz was written to a playback of "
          + "\(format.sampleRate) Hz")
    }
  }
}
