import SpeechAudio
import SpeechConcurrency

/// A microphone and a loudspeaker that know of each other, so that the microphone does not hear the
/// loudspeaker.
///
/// ```swift
/// let devices = EchoCancellingDevices(
///   microphone: PortAudioMicrophone(), speaker: PortAudioSpeaker())
/// ```
/// Use `microphone` and `speaker` wherever an input and an output are wanted. Only what is played through
/// this `speaker` is taken out; what other programs play is not known here.
///
/// What the loudspeaker has really played, by its own count, is laid beside what the microphone hears, by
/// the time at which it came: pauses, stops, sound that came too late and clocks that drift apart are seen
/// by that. The laws of `AudioInput` and `AudioOutput` hold as they do for the devices themselves; the
/// sound of the microphone comes `EchoCanceller.latency` and the lead later, and in the format given here.
///
/// May be made and used from anywhere.
public struct EchoCancellingDevices: Sendable {
  /// The microphone without the echo.
  public let microphone: any AudioInput
  /// The loudspeaker.
  public let speaker: any AudioOutput

  private let latest: Guarded<EchoStatistics?>

  /// Joins two devices.
  ///
  /// - Parameters:
  ///   - format: what the microphone gives and the canceller works with, one of
  ///     `EchoCanceller.sampleRates`; another lets `open()` of the microphone fail.
  ///   - lead: by how much the reference goes ahead of the microphone, whose sound comes that much later
  ///     therefore. No echo can be found that seems to come before its sound, as it does when devices tell
  ///     wrong delays. `nil` for 40 ms, and for none with devices in memory.
  ///   - clock: the time in which the devices live; for devices in memory, theirs.
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

  /// What the microphone's canceller knows of the echo, about once a second anew; `nil` before there was
  /// any.
  public var statistics: EchoStatistics? { latest.withLock { $0 } }
}
