import Foundation
import SpeechAudio

/// Speech that a recogniser heard but does not believe to be what it listens for, such as a sentence
/// outside its grammar.
///
/// ```swift
/// for await rejected in engine.rejections {
///   let said = try await dictation.transcribe(rejected.audio).text
///   print("not a command: \(said); nearest was “\(rejected.nearest.text)”")
/// }
/// ```
public struct RejectedUtterance: Sendable, Equatable {
  /// The sound, in the format that the recogniser heard, for another one to try.
  public var audio: PCMBuffer
  /// Where the sound starts, in seconds from the start of listening (or of the file).
  public var start: TimeInterval
  /// What comes nearest, with its score as the confidence; its text is empty if nothing does.
  public var nearest: SpeechRecognitionResult

  /// A rejected utterance.
  public init(audio: PCMBuffer, start: TimeInterval, nearest: SpeechRecognitionResult) {
    self.audio = audio
    self.start = start
    self.nearest = nearest
  }
}
