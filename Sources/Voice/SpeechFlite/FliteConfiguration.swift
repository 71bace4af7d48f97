import Foundation
import SpeechCore

/// How Flite speaks.
///
/// ```swift
/// let clear = FliteConfiguration(rate: 0.45, voice: "rms")
/// ```
public struct FliteConfiguration: Sendable, Hashable {
  /// Pace, pitch, volume and the silence around the words. The rate 0.5 is the voice's own, 0 is half
  /// and 1 is two and a half times as fast.
  public var style: SpeakingStyle
  /// The voice for requests that name none.
  public var voice: String?

  /// The voice's own manner.
  public static let `default` = FliteConfiguration()

  /// A configuration. Values outside their range are taken as the nearest within it.
  public init(
    rate: Float = 0.5, pitchMultiplier: Float = 1.0, volume: Float = 1.0,
    preUtteranceDelay: TimeInterval = 0, postUtteranceDelay: TimeInterval = 0,
    voice: String? = nil
  ) {
    self.style = SpeakingStyle(
      rate: rate, pitchMultiplier: pitchMultiplier, volume: volume,
      preUtteranceDelay: preUtteranceDelay, postUtteranceDelay: postUtteranceDelay)
    self.voice = voice
  }

  /// A configuration with that style.
  public init(style: SpeakingStyle, voice: String? = nil) {
    self.style = style
    self.voice = voice
  }

  /// How many times the voice's own pace: 0.5 at the rate 0, 1 at 0.5, 2.5 at 1.
  var pace: Float {
    let rate = style.rate.clamped(to: 0...1, orElse: 0.5)
    return rate <= 0.5 ? 0.5 + rate : 1 + (rate - 0.5) * 3
  }
}
