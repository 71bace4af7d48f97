/// The measured properties of an echo, updated about once a second.
public struct EchoStatistics: Sendable, Hashable {
  /// The attenuation of the echo from the loudspeaker to the microphone, in decibels.
  public var echoReturnLoss: Int
  /// The further attenuation by the canceller, in decibels.
  public var echoReturnLossEnhancement: Int
  /// The delay from the reference to its echo; `nil` until it is known. A negative delay cannot be
  /// cancelled: see the lead of `EchoCancellingDevices`.
  public var delay: Duration?
  /// The variation of that delay.
  public var delayDeviation: Duration
}
