import Foundation
import SpeechCore

/// The configuration of Flite.
///
/// ```swift
/// let clear = FliteConfiguration(rate: 0.45, voice: "rms")
/// ```
public struct FliteConfiguration: Sendable, Hashable {
  /// The pace, pitch, volume and the silence around the speech. A rate of 0.5 is the voice's own
  /// pace, 0 is half of it, and 1 is two and a half times as fast.
  public var style: SpeakingStyle
  /// The voice for requests that name none.
  public var voice: String?

  /// The voice's default pace, pitch and volume.
  public static let `default` = FliteConfiguration()

  /// Creates a configuration. Values out of range are replaced by the nearest valid ones.
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

  /// Creates a configuration with a style.
  public init(style: SpeakingStyle, voice: String? = nil) {
    self.style = style
    self.voice = voice
  }

  /// The factor on the voice's own pace: 0.5 at rate 0, 1 at 0.5, 2.5 at 1.
  var pace: Float {
    let rate = style.rate.clamped(to: 0...1, orElse: 0.5)
    return rate <= 0.5 ? 0.5 + rate : 1 + (rate - 0.5) * 3
  }
}
