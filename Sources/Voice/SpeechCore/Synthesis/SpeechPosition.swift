import Foundation

/// A place in the spoken text and when it is heard.
public struct SpeechPosition: Sendable, Equatable {
  /// What begins there.
  public enum Kind: Sendable, Equatable {
    /// A sentence.
    case sentence
    /// A word.
    case word
    /// A `<mark>` of SSML, with its name.
    case mark(String)
    /// A phoneme, in the voice's own notation.
    case phoneme(String)
  }

  /// What begins there.
  public var kind: Kind
  /// Which characters of the text as passed it covers, counted in Unicode scalars from 0.
  public var textRange: Range<Int>
  /// When it is heard, counted from the first sample of the utterance.
  public var audioOffset: Duration

  /// A position.
  public init(kind: Kind, textRange: Range<Int>, audioOffset: Duration) {
    self.kind = kind
    self.textRange = textRange
    self.audioOffset = audioOffset
  }

  /// The same place in a text that has so many scalars more in front.
  package func shifted(by scalars: Int) -> SpeechPosition {
    SpeechPosition(
      kind: kind, textRange: textRange.lowerBound + scalars..<textRange.upperBound + scalars,
      audioOffset: audioOffset)
  }
}
