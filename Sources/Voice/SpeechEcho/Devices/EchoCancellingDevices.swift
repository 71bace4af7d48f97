import SpeechAudio
import SpeechConcurrency

/// A microphone and a loudspeaker that are joined so that the microphone does not capture the
/// loudspeaker.
///
/// ```swift
/// let devices = EchoCancellingDevices(
///   microphone: PortAudioMicrophone(), speaker: PortAudioSpeaker())
/// ```
/// Use `microphone` and `speaker` as input and output. Only audio that is played through this
/// `speaker` is removed; the playback of other programs is unknown.
///
/// The audio that the loudspeaker has played, by its own count of frames, is aligned with the audio
/// of the microphone by the time of its arrival. Pauses, stops, late audio and clock drift are
/// therefore taken into account. The requirements of `AudioInput` and `AudioOutput` hold as for the
/// devices themselves. The microphone's audio is delayed by `EchoCanceller.latency` and the lead,
/// and has the format given here.
///
/// May be created and used on any thread.
public struct EchoCancellingDevices: Sendable {
  /// The microphone without the echo.
  public let microphone: any AudioInput
  /// The loudspeaker, whose playback is the reference.
  public let speaker: any AudioOutput

  private let latest: Guarded<EchoStatistics?>

  /// Joins two devices.
  ///
  /// - Parameters:
  ///   - format: the format of the microphone's audio and of the canceller, with one of
  ///     `EchoCanceller.sampleRates`; with any other, the microphone's `open()` fails.
  ///   - lead: the lead of the reference over the microphone, by which the microphone's audio is
  ///     delayed. An echo that seems to precede its playback, as with devices that report wrong
  ///     delays, cannot be cancelled. `nil` for 40 ms, and for zero with devices in memory.
  ///   - clock: the clock of the devices; for devices in memory, their virtual clock.
  public init(
    microphone: any AudioInput, speaker: any AudioOutput, format: AudioFormat = .recognition,
    configuration: EchoCancellerConfiguration = EchoCancellerConfiguration(),
    lead: Duration? = nil, clock: any DeviceClock = RealClock()
  ) {
    let reference = PlaybackReference(format: format, clock: clock)
    let latest = Guarded<EchoStatistics?>(nil)
    self.latest = latest
    self.microphone = EchoCancellingMicrophone(
      inner: microphone, reference: reference, configuration: configuration, lead: lead,
      latest: latest)
    self.speaker = EchoCancellingSpeaker(inner: speaker, reference: reference)
  }

  /// The properties of the echo, updated about once a second; `nil` before there was any.
  public var statistics: EchoStatistics? { latest.withLock { $0 } }
}
