import Foundation

/// One thing that was recognised: a guess while somebody speaks, or the final reading of an utterance.
public struct SpeechRecognitionResult: Sendable, Equatable, Codable {
  /// The words as text.
  public var text: String
  /// Whether this reading will not change any more.
  public var isFinal: Bool
  /// How sure the recogniser is, from 0 to 1.
  public var confidence: Float
  /// When the result was made.
  public var timestamp: Date
  /// The words one by one, with their times counted from the start of listening (or of the file).
  public var words: [RecognizedWord]
  /// What else may have been said, the likeliest first.
  public var alternatives: [RecognitionAlternative]
  /// The same for all results of one utterance.
  public var utteranceID: UUID
  /// The key phrase that was heard, with its times, where it is that which was waited for; `nil` for all
  /// other speech, such as the command behind a wake word.
  public var keyPhrase: RecognizedWord?

  /// A result.
  public init(
    text: String, isFinal: Bool, confidence: Float = 1.0, timestamp: Date = Date(),
    words: [RecognizedWord] = [], alternatives: [RecognitionAlternative] = [],
    utteranceID: UUID = UUID(), keyPhrase: RecognizedWord? = nil
  ) {
    self.text = text
    self.isFinal = isFinal
    self.confidence = confidence
    self.timestamp = timestamp
    self.words = words
    self.alternatives = alternatives
    self.utteranceID = utteranceID
    self.keyPhrase = keyPhrase
  }
}

/// A recognised word and when it was said.
public struct RecognizedWord: Sendable, Hashable, Codable {
  /// The word.
  public var text: String
  /// Where it starts, in seconds.
  public var start: TimeInterval
  /// Where it ends, in seconds.
  public var end: TimeInterval
  /// How sure the recogniser is of it, from 0 to 1.
  public var confidence: Float

  /// A word with its times in seconds.
  public init(text: String, start: TimeInterval, end: TimeInterval, confidence: Float = 1) {
    self.text = text
    self.start = start
    self.end = end
    self.confidence = confidence
  }

  /// The same word, so many seconds later.
  package func shifted(by seconds: TimeInterval) -> RecognizedWord {
    RecognizedWord(
      text: text, start: start + seconds, end: end + seconds, confidence: confidence)
  }
}

/// Another reading of the same sound.
public struct RecognitionAlternative: Sendable, Hashable, Codable {
  /// The words as text.
  public var text: String
  /// How likely it is beside the others, from 0 to 1.
  public var confidence: Float

  /// A reading and how likely it is.
  public init(text: String, confidence: Float) {
    self.text = text
    self.confidence = confidence
  }
}
