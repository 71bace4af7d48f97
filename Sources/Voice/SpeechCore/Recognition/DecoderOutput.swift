import Foundation

/// The response of a `SpeechDecoder` to an input.
public struct DecoderOutput: Sendable, Equatable {
  /// The words so far; `nil` if they have not changed.
  public var partialText: String?
  /// The beginning of the words so far that does not change any more, also not in the result; empty
  /// if the decoder does not know it.
  public var stableText: String
  /// True when the decoder has heard all that it waits for, such as a key phrase, so that the
  /// utterance can be finished at once.
  public var isComplete: Bool
  /// The result, after `finish` and `utterance`; `nil` if no words were recognised.
  public var utterance: DecodedUtterance?

  /// Creates an output, which is empty by default.
  public init(
    partialText: String? = nil, stableText: String = "", isComplete: Bool = false,
    utterance: DecodedUtterance? = nil
  ) {
    self.partialText = partialText
    self.stableText = stableText
    self.isComplete = isComplete
    self.utterance = utterance
  }
}

/// The result that a decoder returns for an utterance.
public struct DecodedUtterance: Sendable, Equatable {
  /// The words as text.
  public var text: String
  /// The confidence of the decoder, from 0 to 1.
  public var confidence: Float
  /// The words with their times from the first sample of the utterance.
  public var words: [RecognizedWord]
  /// Other readings, the likeliest first.
  public var alternatives: [RecognitionAlternative]
  /// True if the decoder listens for such an utterance. If false, the text is only the nearest
  /// reading, which may be empty.
  public var isAccepted: Bool
  /// The key phrase that was heard, if the decoder was waiting for one.
  public var keyPhrase: RecognizedWord?
  /// The time in seconds from which on the audio is not recognised yet and belongs to the next
  /// utterance; `nil` if all of it is recognised.
  public var remainder: TimeInterval?
  /// The error of a further recogniser, without which this one works, that was to read the
  /// utterance; `nil` if there was none, or it has been reported.
  package var failure: SpeechRecognitionError?

  /// Creates a decoded utterance.
  public init(
    text: String, confidence: Float = 1, words: [RecognizedWord] = [],
    alternatives: [RecognitionAlternative] = [], isAccepted: Bool = true,
    keyPhrase: RecognizedWord? = nil, remainder: TimeInterval? = nil
  ) {
    self.text = text
    self.confidence = confidence
    self.words = words
    self.alternatives = alternatives
    self.isAccepted = isAccepted
    self.keyPhrase = keyPhrase
    self.remainder = remainder
  }
}
