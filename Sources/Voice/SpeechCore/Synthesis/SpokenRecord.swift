import SpeechAudio

/// What has been heard of a text that is being spoken, or was spoken last.
///
/// ```swift
/// provider.stop()
/// let heard = provider.spoken?.heardText ?? ""
/// ```
public struct SpokenRecord: Sendable, Equatable {
  /// The text as it was passed.
  public var text: String
  /// Where in the text this voice began; what is before that was heard, of another voice.
  public var start: Int
  /// Where the words are, as far as the voice has told.
  public var positions: [SpeechPosition]
  /// How much of the sound has been played.
  public var played: Duration
  /// Whether all of it has been made.
  public var isComplete: Bool
  /// Whether all of it has been heard.
  public var isFinished: Bool
  /// The sound so far, where the voice does not tell where its words are.
  public var audio: PCMBuffer?

  /// A record.
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

  /// Whether it is known where the words are.
  package var hasWords: Bool { positions.contains { $0.kind == .word } }

  /// Up to where the text has been heard, counted in Unicode scalars: to the end of the last word whose end
  /// was played, which is where the next one begins; `start` if that is not known.
  package var heardEnd: Int {
    if isFinished { return text.unicodeScalars.count }
    let words = self.words
    var end = start
    for (word, next) in zip(words, words.dropFirst()) where next.audioOffset <= played {
      end = max(end, word.textRange.upperBound)
    }
    return end
  }

  /// Where the first word begins that was not heard to its end.
  package var unheardStart: Int {
    if isFinished { return text.unicodeScalars.count }
    let end = heardEnd
    return words.map(\.textRange.lowerBound).filter { $0 >= end }.min() ?? end
  }

  /// What has been heard, as it is written.
  package var heardText: String { part(0..<heardEnd) }

  /// What has not been heard.
  package var unheardText: String { part(unheardStart..<text.unicodeScalars.count) }

  private var words: [SpeechPosition] {
    positions.filter { $0.kind == .word }.sorted { $0.audioOffset < $1.audioOffset }
  }

  private func part(_ range: Range<Int>) -> String {
    let scalars = Array(text.unicodeScalars)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
    return String(part)
  }
}
