/// A sound device as listed by PortAudio.
///
/// A snapshot: the index is valid only until the devices are listed again, while the host API and
/// the name together are stable.
/// ```swift
/// for device in try await AudioDevices.list() where device.inputChannels > 0 {
///   print(device.index, device.name, device.isDefaultInput ? "(default)" : "")
/// }
/// ```
public struct AudioDevice: Sendable, Hashable {
  /// PortAudio's number of the device at the time of listing.
  public let index: Int
  /// The name of the device.
  public let name: String
  /// The sound system that provides it, such as “ALSA” or “JACK Audio Connection Kit”.
  public let hostAPI: String
  /// The number of channels for recording; 0 if it cannot record.
  public let inputChannels: Int
  /// The number of channels for playback; 0 if it cannot play.
  public let outputChannels: Int
  /// The preferred sample rate.
  public let defaultSampleRate: Int
  /// The shortest reliable latency of recording.
  public let inputLatency: Duration
  /// The shortest reliable latency of playback.
  public let outputLatency: Duration
  /// True for the default recording device.
  public let isDefaultInput: Bool
  /// True for the default playback device.
  public let isDefaultOutput: Bool
}
