import SpeechAudio

/// A loudspeaker of this machine.
///
/// Opens at the rate of the sound where the device allows, else converts. Opening takes some
/// milliseconds, so each playback opens a stream of its own and gives it back at its end, and speech of
/// several playbacks at a time is mixed by the sound system.
/// ```swift
/// let playback = try await PortAudioSpeaker().open(sound.format)
/// try await playback.write(sound)
/// try await playback.finish()          // heard to the end
/// ```
/// Making one opens nothing and never fails. When the device goes away during a playback, it is waited
/// for; once back, it plays on with what was not heard.
public struct PortAudioSpeaker: AudioOutput {
  /// Which device is meant.
  let device: AudioDeviceSelector
  /// The delay to ask the device for. The longer, the better it bears a busy machine; the shorter, the
  /// sooner it begins.
  let latency: Duration
  /// How much sound is taken from writers ahead of the device.
  let buffered: Duration
  /// How long a lost device is waited for before a playback fails.
  let returnPatience: Duration
  /// The rate to open the device at instead of the sound's.
  let deviceRate: Int?

  /// A loudspeaker, not opened yet. May be made anywhere.
  public init(
    device: AudioDeviceSelector = .default, latency: Duration = .milliseconds(80),
    buffered: Duration = .milliseconds(200), returnPatience: Duration = .seconds(5)
  ) {
    self.init(
      device: device, latency: latency, buffered: buffered, returnPatience: returnPatience,
      deviceRate: nil)
  }

  init(
    device: AudioDeviceSelector = .default, latency: Duration = .milliseconds(80),
    buffered: Duration = .milliseconds(200), returnPatience: Duration = .seconds(5),
    deviceRate: Int?
  ) {
    self.device = device
    self.latency = latency
    self.buffered = buffered
    self.returnPatience = returnPatience
    self.deviceRate = deviceRate
  }

  /// What was asked for: the name, or “default loudspeaker”.
  public var name: String { device.title(.output) }

  /// Opens the device for sound of that format, converting where the device wants another; may be
  /// called from anywhere.
  ///
  /// - Throws: `AudioError.noDevice` or `AudioError.deviceNotFound` when there is none such,
  ///   `AudioError.deviceUnavailable` when it cannot be opened, `AudioError.conversionFailed` when the
  ///   device wants a rate that the sound cannot be converted to, `CancellationError` when the task was
  ///   cancelled.
  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let request = request(device, sampleRate: deviceRate ?? format.sampleRate, mayDiffer: true)
    let stream = try await PortAudioLibrary.shared.open(request, afresh: false)
    return try PortAudioPlayback(stream: stream, format: format, speaker: self)
  }

  /// A playing stream of this loudspeaker.
  func request(
    _ device: AudioDeviceSelector, sampleRate: Int, mayDiffer: Bool
  ) -> StreamRequest<PlaybackCell> {
    let seconds = buffered.inSeconds + 2 * PortAudioPlayback.slice.inSeconds
    return StreamRequest(
      device: device, direction: .output, sampleRate: sampleRate, mayDiffer: mayDiffer,
      latency: latency, period: .milliseconds(10),
      makeCell: { rate in
        PlaybackCell(capacity: Int(seconds * Double(rate)), sampleRate: rate)
      },
      callback: playbackCallback, finished: playbackFinished)
  }
}
