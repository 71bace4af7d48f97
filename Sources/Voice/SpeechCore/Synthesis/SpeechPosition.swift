import Foundation

/// A position in the spoken text and the time at which it is heard.
public struct SpeechPosition: Sendable, Equatable {
  /// The kind of unit that begins at a position.
  public enum Kind: Sendable, Equatable {
    /// A sentence of the text.
    case sentence
    /// A word of the text.
    case word
    /// A `<mark>` of SSML, with its name.
    case mark(String)
    /// A phoneme, in the voice's own notation.
    case phoneme(String)
  }

  /// The kind of unit that begins there.
  public var kind: Kind
  /// The range in the text as passed, in Unicode scalars from 0.
  public var textRange: Range<Int>
  /// The time from the first sample of the utterance.
  public var audioOffset: Duration

  /// Creates a position in a text.
  public init(kind: Kind, textRange: Range<Int>, audioOffset: Duration) {
    self.kind = kind
    self.textRange = textRange
    self.audioOffset = audioOffset
  }

  /// Returns the position in a text with that many scalars before this one.
  package func shifted(by scalars: Int) -> SpeechPosition {
    SpeechPosition(
      kind: kind, textRange: textRange.lowerBound + scalars..<textRange.upperBound + scalars,
      audioOffset: audioOffset)
  }
}
