import CMessageFilter
import SpeechAudio

/// The sound devices of this machine.
public enum AudioDevices {
  /// Lists all devices in PortAudio's order; empty if there are none.
  ///
  /// Searches again each time, unless a microphone or loudspeaker of this process is open:
  /// PortAudio cannot search again then and returns the previous list.
  ///
  /// - Throws: `AudioError.deviceUnavailable` if the sound system does not answer,
  ///   `CancellationError` if the task was cancelled.
  public static func list() async throws -> [AudioDevice] {
    try await PortAudioLibrary.shared.devices()
  }

  /// Finds the selected device.
  ///
  /// - Throws: `AudioError.noDevice` if there is none for that direction,
  ///   `AudioError.deviceNotFound` if none or more than one matches, and the errors of `list()`.
  public static func find(
    _ selector: AudioDeviceSelector, for direction: AudioDirection
  ) async throws -> AudioDevice {
    try selector.pick(from: await list(), for: direction)
  }

  /// Removes PortAudio's own reports from the process's standard error.
  ///
  /// When a device is lost, PortAudio prints “Expression … failed” lines, although the loss is also
  /// reported as an error or event. A command-line program calls this once when it starts. All
  /// other text on standard error remains. Has no effect on systems without the GNU C library.
  public static func hideLibraryMessages() {
    messageFilter
  }

  /// Drops messages that no function of the libraries turns off, by their beginnings: PortAudio's
  /// report of a failed call, which its own thread prints when a device is lost, and the warning of
  /// ALSA's plug-in for JACK about programs with long names.
  private static let messageFilter: Void = {
    // C strings for the life of the process, because the filter keeps the pointers.
    let prefixes: [StaticString] = ["Expression '", "snd_pcm_jack_open: WARNING"]
    for prefix in prefixes {
      prefix.utf8Start.withMemoryRebound(to: CChar.self, capacity: prefix.utf8CodeUnitCount) {
        _ = message_filter_drop($0)
      }
    }
  }()
}
