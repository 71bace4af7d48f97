/// The devices and the clock of a voice loop.
///
/// ```swift
/// let devices = VoiceLoopDevices()   // the default microphone and loudspeaker, without their echo
/// ```
public struct VoiceLoopDevices: Sendable {
  /// The input that the loop hears.
  public var microphone: any AudioInput
  /// The output that it speaks on.
  public var speaker: any AudioOutput
  /// The time of both.
  public var clock: any DeviceClock

  /// Creates the devices of a loop.
  ///
  /// - Parameter cancelsEcho: true to remove the loudspeaker's sound from the microphone's.
  public init(
    microphone: any AudioInput = PortAudioMicrophone(),
    speaker: any AudioOutput = PortAudioSpeaker(), cancelsEcho: Bool = true,
    clock: any DeviceClock = RealClock()
  ) {
    self.clock = clock
    guard cancelsEcho else {
      (self.microphone, self.speaker) = (microphone, speaker)
      return
    }
    let devices = EchoCancellingDevices(
      microphone: microphone, speaker: speaker, clock: clock)
    (self.microphone, self.speaker) = (devices.microphone, devices.speaker)
  }

  /// The devices with all that passes through them recorded.
  public func recorded(by recorder: ConversationRecorder) -> VoiceLoopDevices {
    VoiceLoopDevices(
      microphone: recorder.microphone(microphone), speaker: recorder.speaker(speaker),
      cancelsEcho: false, clock: clock)
  }
}
