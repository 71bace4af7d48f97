import Foundation
import SpeechAudio

/// Speech that a recogniser heard but does not believe to be what it listens for, such as a sentence
/// outside its grammar.
///
/// ```swift
/// for await rejected in engine.rejections {
///   let said = try await rejected.reading()?.text ?? "nothing"
///   print("not a command: \(said); nearest was “\(rejected.nearest.text)”")
/// }
/// ```
public struct RejectedUtterance: Sendable {
  /// The sound, in the format that the recogniser heard.
  public var audio: PCMBuffer
  /// Where the sound starts, in seconds from the start of listening (or of the file).
  public var start: TimeInterval
  /// What comes nearest, with its score as the confidence; its text is empty if nothing does.
  public var nearest: SpeechRecognitionResult
  private let cascade: RecognitionCascade

  /// Where the sound ends, in seconds.
  public var end: TimeInterval { start + audio.duration.inSeconds }

  /// A rejected utterance, and who may be asked what it was.
  public init(
    audio: PCMBuffer, start: TimeInterval, nearest: SpeechRecognitionResult,
    cascade: RecognitionCascade = RecognitionCascade([])
  ) {
    self.audio = audio
    self.start = start
    self.nearest = nearest
    self.cascade = cascade
  }

  /// What a general recogniser makes of it; `nil` if it hears no words, or there is none. Takes as long as
  /// that recogniser, which works meanwhile, beside the listening; each call asks anew.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and what the recognisers say if all fail.
  public func reading() async throws -> SpeechRecognitionResult? {
    guard let decoded = try await cascade.reading(of: audio) else { return nil }
    return SpeechRecognitionResult(decoded, utteranceID: nearest.utteranceID, start: start)
  }
}

extension SpeechRecognitionResult {
  /// The final result of an utterance that starts at that second.
  init(_ decoded: DecodedUtterance, utteranceID: UUID, start: TimeInterval) {
    self.init(
      text: decoded.text, isFinal: true, confidence: decoded.confidence,
      words: decoded.words.map { $0.shifted(by: start) }, alternatives: decoded.alternatives,
      utteranceID: utteranceID, keyPhrase: decoded.keyPhrase?.shifted(by: start))
  }
}
