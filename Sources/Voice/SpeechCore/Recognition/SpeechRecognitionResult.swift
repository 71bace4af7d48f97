import Foundation

/// A partial result during speech, or the final result of an utterance.
public struct SpeechRecognitionResult: Sendable, Equatable, Codable {
  /// The words as text.
  public var text: String
  /// The beginning of the text of a partial result that does not change any more; `nil` if the
  /// recogniser does not know it.
  public var stableText: String?
  /// True if this result will not change any more.
  public var isFinal: Bool
  /// The confidence of the recogniser, from 0 to 1.
  public var confidence: Float
  /// The time at which the result was created.
  public var timestamp: Date
  /// The words with their times from the start of listening or of the file.
  public var words: [RecognizedWord]
  /// Other readings, the likeliest first.
  public var alternatives: [RecognitionAlternative]
  /// The identifier of the utterance, which all its results share.
  public var utteranceID: UUID
  /// The key phrase with its times, if the recogniser was waiting for it; `nil` for all other
  /// speech, such as the command after a wake word.
  public var keyPhrase: RecognizedWord?

  /// Creates a result, which is of a new utterance by default.
  public init(
    text: String, isFinal: Bool, confidence: Float = 1.0, timestamp: Date = Date(),
    words: [RecognizedWord] = [], alternatives: [RecognitionAlternative] = [],
    utteranceID: UUID = UUID(), keyPhrase: RecognizedWord? = nil, stableText: String? = nil
  ) {
    self.text = text
    self.stableText = stableText
    self.isFinal = isFinal
    self.confidence = confidence
    self.timestamp = timestamp
    self.words = words
    self.alternatives = alternatives
    self.utteranceID = utteranceID
    self.keyPhrase = keyPhrase
  }

  /// Compares everything but the identifiers of the utterances, which are random.
  public static func == (one: Self, other: Self) -> Bool {
    (one.text, one.isFinal, one.confidence, one.timestamp)
      == (other.text, other.isFinal, other.confidence, other.timestamp)
      && (one.words, one.alternatives) == (other.words, other.alternatives)
      && (one.keyPhrase, one.stableText) == (other.keyPhrase, other.stableText)
  }
}

/// A recognised word and its times.
public struct RecognizedWord: Sendable, Hashable, Codable {
  /// The word as text.
  public var text: String
  /// The start of the word, in seconds.
  public var start: TimeInterval
  /// The end of the word, in seconds.
  public var end: TimeInterval
  /// The confidence of the recogniser, from 0 to 1.
  public var confidence: Float

  /// Creates a word with its times in seconds.
  public init(text: String, start: TimeInterval, end: TimeInterval, confidence: Float = 1) {
    self.text = text
    self.start = start
    self.end = end
    self.confidence = confidence
  }

  /// Returns the word with its times shifted by that many seconds.
  package func shifted(by seconds: TimeInterval) -> RecognizedWord {
    RecognizedWord(
      text: text, start: start + seconds, end: end + seconds, confidence: confidence)
  }
}

/// Another reading of the same audio.
public struct RecognitionAlternative: Sendable, Hashable, Codable {
  /// The words as text.
  public var text: String
  /// The likelihood relative to the other readings, from 0 to 1.
  public var confidence: Float

  /// Creates a reading with its likelihood.
  public init(text: String, confidence: Float) {
    self.text = text
    self.confidence = confidence
  }
}
