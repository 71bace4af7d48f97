import SpeechAudio

/// The part of the current or latest text that has been heard.
///
/// ```swift
/// provider.stop()
/// let played = provider.spoken?.played ?? .zero
/// ```
public struct SpokenRecord: Sendable, Equatable {
  /// The text as it was passed.
  public var text: String
  /// The position in the text where this voice began; another voice spoke the part before it.
  public var start: Int
  /// The positions of the words that the voice has reported.
  public var positions: [SpeechPosition]
  /// The duration of the audio that has been played.
  public var played: Duration
  /// True if all of the audio has been synthesised.
  public var isComplete: Bool
  /// True if all of the audio has been heard.
  public var isFinished: Bool
  /// The audio so far, for voices that do not report the positions of words.
  public var audio: PCMBuffer?

  /// Creates a record of a spoken text.
  public init(
    text: String, start: Int = 0, positions: [SpeechPosition] = [], played: Duration = .zero,
    isComplete: Bool = false, isFinished: Bool = false, audio: PCMBuffer? = nil
  ) {
    self.text = text
    self.start = start
    self.positions = positions
    self.played = played
    self.isComplete = isComplete
    self.isFinished = isFinished
    self.audio = audio
  }

  /// True if the positions of words are known.
  package var hasWords: Bool { positions.contains { $0.kind == .word } }

  /// The end of the heard text in Unicode scalars: the end of the last word that was played
  /// completely, which is where the next one begins; `start` if that is not known.
  package var heardEnd: Int {
    if isFinished { return text.unicodeScalars.count }
    let words = self.words
    var end = start
    for (word, next) in zip(words, words.dropFirst()) where next.audioOffset <= played {
      end = max(end, word.textRange.upperBound)
    }
    return end
  }

  /// The start of the first word that was not heard completely.
  package var unheardStart: Int {
    if isFinished { return text.unicodeScalars.count }
    let end = heardEnd
    return words.map(\.textRange.lowerBound).filter { $0 >= end }.min() ?? end
  }

  /// The rest of the text.
  package var unheardText: String { String(text.unicodeScalars.dropFirst(unheardStart)) }

  private var words: [SpeechPosition] {
    positions.filter { $0.kind == .word }.sorted { $0.audioOffset < $1.audioOffset }
  }
}
