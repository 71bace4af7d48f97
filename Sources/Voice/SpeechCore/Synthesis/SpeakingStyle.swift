import Foundation

/// The pace, pitch and volume of a local voice, and the silence around its text.
///
/// ```swift
/// let calm = SpeakingStyle(rate: 0.4, pitchMultiplier: 0.9)
/// ```
public struct SpeakingStyle: Sendable, Hashable, Codable {
  /// The pace, from 0 (slowest) to 1 (fastest); 0.5 is the voice's own.
  public var rate: Float
  /// The pitch, from 0.5 to 2; 1 is the voice's own.
  public var pitchMultiplier: Float
  /// The volume, from 0 to 1.
  public var volume: Float
  /// The silence before the first word.
  public var preUtteranceDelay: TimeInterval
  /// The silence after the last word.
  public var postUtteranceDelay: TimeInterval

  /// The voice's own style.
  public static let `default` = SpeakingStyle()

  /// Creates a style. Values outside their range are replaced by the nearest within it.
  public init(
    rate: Float = 0.5, pitchMultiplier: Float = 1.0, volume: Float = 1.0,
    preUtteranceDelay: TimeInterval = 0.0, postUtteranceDelay: TimeInterval = 0.0
  ) {
    self.rate = rate.clamped(to: 0...1, orElse: 0.5)
    self.pitchMultiplier = pitchMultiplier.clamped(to: 0.5...2, orElse: 1)
    self.volume = volume.clamped(to: 0...1, orElse: 1)
    self.preUtteranceDelay = preUtteranceDelay.clamped(to: 0...60, orElse: 0)
    self.postUtteranceDelay = postUtteranceDelay.clamped(to: 0...60, orElse: 0)
  }

  /// The style with the options `rate`, `pitch` and `volume` of a request.
  ///
  /// - Throws: `SpeechSynthesisProviderError.unknown` when one of them is not a number.
  package func applying(
    _ options: [String: String]
  ) throws(SpeechSynthesisProviderError) -> SpeakingStyle {
    func number(_ name: String) throws(SpeechSynthesisProviderError) -> Float? {
      guard let value = options[name] else { return nil }
      guard let number = Float(value), number.isFinite else {
        throw .unknown("The option \(name) is “\(value)”; it has to be a number.")
      }
      return number
    }
    return SpeakingStyle(
      rate: try number("rate") ?? rate, pitchMultiplier: try number("pitch") ?? pitchMultiplier,
      volume: try number("volume") ?? volume, preUtteranceDelay: preUtteranceDelay,
      postUtteranceDelay: postUtteranceDelay)
  }
}

extension BinaryFloatingPoint {
  /// The nearest value within the range; the other value for what is not a number.
  package func clamped(to range: ClosedRange<Self>, orElse other: Self) -> Self {
    isNaN ? other : min(max(self, range.lowerBound), range.upperBound)
  }
}
