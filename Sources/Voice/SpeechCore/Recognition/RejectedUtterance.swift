import Foundation
import SpeechAudio

/// Speech that a recogniser does not listen for, such as a sentence outside its grammar.
///
/// ```swift
/// for await rejected in engine.rejections {
///   let said = try await rejected.reading()?.text ?? "nothing"
///   print("not a command: \(said); nearest was “\(rejected.nearest.text)”")
/// }
/// ```
public struct RejectedUtterance: Sendable {
  /// The audio, in the format of the recogniser.
  public var audio: PCMBuffer
  /// The start of the audio, in seconds from the start of listening or of the file.
  public var start: TimeInterval
  /// The nearest reading, with its score as the confidence; its text is empty if there is none.
  public var nearest: SpeechRecognitionResult
  /// The error of the recogniser that reads what a grammar rejects; `nil` if there is none, or it
  /// has been reported with an earlier utterance.
  public var failure: SpeechRecognitionError?
  private let cascade: RecognitionCascade

  /// The end of the audio, in seconds.
  public var end: TimeInterval { start + audio.duration.inSeconds }

  /// Creates a rejected utterance, with the recognisers that can read it.
  public init(
    audio: PCMBuffer, start: TimeInterval, nearest: SpeechRecognitionResult,
    cascade: RecognitionCascade = RecognitionCascade([]), failure: SpeechRecognitionError? = nil
  ) {
    self.audio = audio
    self.start = start
    self.nearest = nearest
    self.cascade = cascade
    self.failure = failure
  }

  /// Returns the reading of a general recogniser; `nil` if it recognises no words, or there is
  /// none.
  ///
  /// Listening continues meanwhile. Each call decodes the audio again.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and the recognisers' error if all
  ///   fail.
  public func reading() async throws -> SpeechRecognitionResult? {
    guard let decoded = try await cascade.reading(of: audio) else { return nil }
    return SpeechRecognitionResult(decoded, utteranceID: nearest.utteranceID, start: start)
  }
}

extension SpeechRecognitionResult {
  /// Creates the final result of an utterance that starts at that time.
  init(_ decoded: DecodedUtterance, utteranceID: UUID, start: TimeInterval) {
    self.init(
      text: decoded.text, isFinal: true, confidence: decoded.confidence,
      words: decoded.words.map { $0.shifted(by: start) }, alternatives: decoded.alternatives,
      utteranceID: utteranceID, keyPhrase: decoded.keyPhrase?.shifted(by: start))
  }
}
