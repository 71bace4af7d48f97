/// A sound device as PortAudio lists it.
///
/// A value of one moment: the index is only good until the next look at the devices, the host API and
/// the name together stay.
/// ```swift
/// for device in try await AudioDevices.list() where device.inputChannels > 0 {
///   print(device.index, device.name, device.isDefaultInput ? "(default)" : "")
/// }
/// ```
public struct AudioDevice: Sendable, Hashable {
  /// PortAudio's number for it at the time of listing.
  public let index: Int
  /// What it is called.
  public let name: String
  /// The system it is reached by, such as “ALSA” or “JACK Audio Connection Kit”.
  public let hostAPI: String
  /// How many channels can be recorded, 0 when it is no microphone.
  public let inputChannels: Int
  /// How many channels can be played, 0 when it is no loudspeaker.
  public let outputChannels: Int
  /// The sample rate it prefers.
  public let defaultSampleRate: Int
  /// The delay of recording that it can hold reliably when little is wanted.
  public let inputLatency: Duration
  /// The delay of playing that it can hold reliably when little is wanted.
  public let outputLatency: Duration
  /// Whether it is recorded from when nothing else is asked for.
  public let isDefaultInput: Bool
  /// Whether it is played on when nothing else is asked for.
  public let isDefaultOutput: Bool

  init(
    index: Int, name: String, hostAPI: String, inputChannels: Int, outputChannels: Int,
    defaultSampleRate: Int, inputLatency: Duration = .zero, outputLatency: Duration = .zero,
    isDefaultInput: Bool = false, isDefaultOutput: Bool = false
  ) {
    self.index = index
    self.name = name
    self.hostAPI = hostAPI
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.defaultSampleRate = defaultSampleRate
    self.inputLatency = inputLatency
    self.outputLatency = outputLatency
    self.isDefaultInput = isDefaultInput
    self.isDefaultOutput = isDefaultOutput
  }
}
