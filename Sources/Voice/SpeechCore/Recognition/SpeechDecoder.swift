import Foundation
import SpeechAudio

/// The boundary to one recognition library or service: sound in, words out.
///
/// A decoder knows nothing of devices, of who observes it or of tasks; `RecognitionSession` owns it and
/// calls it from one place at a time, off the cooperative pool, so that a conformance may block.
///
/// Laws: between `startUtterance()` and `finishUtterance()` or `discardUtterance()` any number of
/// `process(_:)` calls; no call in any order crashes; times count from the first sample of the
/// utterance; silence gives `nil` and a broken decoder throws, never an empty text.
public protocol SpeechDecoder: AnyObject, SendableMetatype {
  /// What the decoder needs to know: models, vocabulary, keys.
  associatedtype Configuration: Sendable

  /// The identifier of the recogniser, in reverse domain order.
  static var identifier: String { get }

  /// Whether the decoder could run on this machine as installed.
  static var isAvailable: Bool { get }

  /// A decoder for that language.
  ///
  /// - Throws: `SpeechRecognitionError` when a model is missing or broken.
  init(configuration: Configuration, locale: Locale) throws

  /// The format the decoder hears.
  var format: AudioFormat { get }

  /// Learns that so much time passed since the last utterance in which nobody spoke. Between utterances only;
  /// the default does not care.
  nonisolated(nonsending) func passSilence(_ duration: Duration) async

  /// Learns whether a key phrase has to be heard before anything else is recognised. Between utterances only;
  /// the default, of decoders that wait for none, does not care.
  /// A decoder around another one has to pass it on.
  nonisolated(nonsending) func expectKeyPhrase(_ isExpected: Bool) async

  /// Begins an utterance.
  nonisolated(nonsending) func startUtterance() async throws

  /// Hears the next stretch of the utterance and tells what it is now believed to be.
  nonisolated(nonsending) func process(_ audio: PCMBuffer) async throws -> DecoderUpdate

  /// Ends the utterance; `nil` if there was nothing to recognise.
  nonisolated(nonsending) func finishUtterance() async throws -> DecodedUtterance?

  /// Ends the utterance as above, telling what is known of it meanwhile: for decoders that take their time
  /// for the end. The default tells nothing.
  nonisolated(nonsending) func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance?

  /// Ends the utterance without a result.
  nonisolated(nonsending) func discardUtterance() async

  /// Recognises an utterance that is there as a whole. The default plays it through the calls above; a
  /// decoder that does better with the whole in sight overrides it.
  nonisolated(nonsending) func decode(_ utterance: PCMBuffer) async throws -> DecodedUtterance?
}

extension SpeechDecoder {
  /// Does nothing.
  public nonisolated(nonsending) func passSilence(_ duration: Duration) async {}

  /// Does nothing.
  public nonisolated(nonsending) func expectKeyPhrase(_ isExpected: Bool) async {}

  /// Tells nothing before the end.
  public nonisolated(nonsending) func finishUtterance(
    onPartial: @Sendable (String) async -> Void
  ) async throws -> DecodedUtterance? {
    try await finishUtterance()
  }

  /// Hears the utterance in one piece.
  public nonisolated(nonsending) func decode(
    _ utterance: PCMBuffer
  ) async throws -> DecodedUtterance? {
    try await startUtterance()
    do {
      _ = try await process(utterance)
    } catch {
      await discardUtterance()
      throw error
    }
    return try await finishUtterance()
  }
}

/// What a decoder believes in the middle of an utterance.
public struct DecoderUpdate: Sendable, Equatable {
  /// The words so far; `nil` if there is nothing new to say.
  public var partialText: String?
  /// Whether the decoder has heard all it waited for (a key phrase), so that the utterance can be
  /// finished at once.
  public var isComplete: Bool

  /// An update.
  public init(partialText: String? = nil, isComplete: Bool = false) {
    self.partialText = partialText
    self.isComplete = isComplete
  }
}

/// What a decoder made of an utterance.
public struct DecodedUtterance: Sendable, Equatable {
  /// The words as text.
  public var text: String
  /// How sure the decoder is, from 0 to 1.
  public var confidence: Float
  /// The words with their times from the first sample of the utterance.
  public var words: [RecognizedWord]
  /// Other readings, the likeliest first.
  public var alternatives: [RecognitionAlternative]
  /// Whether it is believed to be what the decoder listens for. If not, the text is but the nearest
  /// reading, which may be empty.
  public var isAccepted: Bool
  /// The key phrase that was waited for and heard, if the utterance was listened to for that.
  public var keyPhrase: RecognizedWord?
  /// From where on the sound is not recognised yet, in seconds from its first sample, and is to be heard as
  /// the next utterance; `nil` if all of it is.
  public var remainder: TimeInterval?

  /// A decoded utterance.
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
