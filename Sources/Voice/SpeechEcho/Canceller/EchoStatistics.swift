/// What an echo canceller knows of the echo, about once a second anew.
public struct EchoStatistics: Sendable, Hashable {
  /// How much softer the echo comes in than it went out, in decibels.
  public var echoReturnLoss: Int
  /// By how many decibels the canceller has made it softer still.
  public var echoReturnLossEnhancement: Int
  /// By how long the echo comes after its reference; `nil` until that is known. Below zero nothing can be
  /// done about it: see the lead of `EchoCancellingDevices`.
  public var delay: Duration?
  /// How much that delay varies.
  public var delayDeviation: Duration
}
