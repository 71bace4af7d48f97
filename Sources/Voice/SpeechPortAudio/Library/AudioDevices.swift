import SpeechAudio

/// The sound devices of this machine.
public enum AudioDevices {
  /// All devices, in PortAudio's order; empty when there are none.
  ///
  /// Looks anew each time, unless a microphone or loudspeaker of this process is open: PortAudio cannot
  /// look again then and gives what it saw before.
  ///
  /// - Throws: `AudioError.deviceUnavailable` when the sound system does not answer,
  ///   `CancellationError` when the task was cancelled.
  public static func list() async throws -> [AudioDevice] {
    try await PortAudioLibrary.shared.devices()
  }

  /// The device that is meant.
  ///
  /// - Throws: `AudioError.noDevice` when there is none for that direction,
  ///   `AudioError.deviceNotFound` when none or more than one fits, and what `list()` throws.
  public static func find(
    _ selector: AudioDeviceSelector, for direction: AudioDirection
  ) async throws -> AudioDevice {
    try selector.pick(from: await list(), for: direction)
  }

  /// Removes PortAudio's own reports from the process's standard error.
  ///
  /// When a device is lost, PortAudio prints “Expression … failed” lines, although the loss is also
  /// reported as an error or event. A command-line program calls this once when it starts. All other
  /// text on standard error stays. Has no effect on systems without the GNU C library.
  public static func hideLibraryMessages() {
    LibraryMessages.hide()
  }
}
