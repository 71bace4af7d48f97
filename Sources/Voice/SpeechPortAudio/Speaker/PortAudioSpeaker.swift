import SpeechAudio

/// A loudspeaker of this machine.
///
/// It opens at the rate of the audio if the device allows, and converts otherwise. Opening takes a
/// few milliseconds, so each playback opens a stream of its own and closes it at its end. The sound
/// system mixes simultaneous playbacks.
/// ```swift
/// let playback = try await PortAudioSpeaker().open(sound.format)
/// try await playback.write(sound)
/// try await playback.finish()          // heard to the end
/// ```
/// Creating one opens nothing and never fails. If the device is lost during a playback, its return
/// is awaited; then the playback continues with what was not heard.
public struct PortAudioSpeaker: AudioOutput {
  let device: AudioDeviceSelector
  let latency: Duration
  let buffered: Duration
  let returnTimeout: Duration
  /// The rate at which the device is opened instead of the audio's rate.
  var deviceRate: Int?

  /// Creates a loudspeaker, which is not opened yet. May be called on any thread.
  ///
  /// - Parameters:
  ///   - latency: the requested delay of the device. Longer delays tolerate a busier machine;
  ///     shorter ones start sooner.
  ///   - buffered: the audio that is taken from writers ahead of the device.
  ///   - returnTimeout: the time for which a lost device is awaited before a playback fails.
  public init(
    device: AudioDeviceSelector = .default, latency: Duration = .milliseconds(80),
    buffered: Duration = .milliseconds(200), returnTimeout: Duration = .seconds(5)
  ) {
    self.device = device
    self.latency = latency
    self.buffered = buffered
    self.returnTimeout = returnTimeout
  }

  /// The requested name, or “default loudspeaker”.
  public var name: String { device.title(.output) }

  /// Opens the device for audio of a format, and converts if the device requires another. May be
  /// called on any thread.
  ///
  /// - Throws: `AudioError.noDevice` or `AudioError.deviceNotFound` if there is no such device,
  ///   `AudioError.deviceUnavailable` if it cannot be opened, `AudioError.conversionFailed` if the
  ///   device requires a rate to which the audio cannot be converted, `CancellationError` if the
  ///   task was cancelled.
  public func open(_ format: AudioFormat) async throws -> any AudioPlayback {
    let request = request(device, sampleRate: deviceRate ?? format.sampleRate, mayDiffer: true)
    let stream = try await PortAudioLibrary.shared.open(request, afresh: false)
    return try PortAudioPlayback(stream: stream, format: format, speaker: self)
  }

  /// A request for a playing stream of this loudspeaker.
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
