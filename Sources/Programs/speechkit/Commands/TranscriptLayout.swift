import Foundation
import SpeechKit

/// How transcripts are written one after the other.
struct TranscriptLayout: Sendable {
  var format: TranscriptFormat
  var isTabbed = false
  /// Whether there are several files, so that each needs its name above its text.
  var hasHeadings = false
  /// Whether something can be rejected, so that JSON tells what was.
  var rejects = false

  /// A line of the JSON that is written.
  private struct FileTranscript: Encodable {
    var file: String
    var complete: Bool
    var duration: TimeInterval
    var text: String
    var segments: [TranscriptSegment]
    /// `nil` unless something can be rejected.
    var rejected: [Rejection]?
  }

  private struct Rejection: Encodable {
    var start: TimeInterval
    var end: TimeInterval
    var text: String
    var confidence: Float
  }

  /// Whether each utterance can be written when it is there.
  var isLineByLine: Bool { format == .txt && !isTabbed }

  /// What stands above a file's text.
  func heading(of file: String, isFirst: Bool) -> String {
    guard hasHeadings, isLineByLine else { return "" }
    return (isFirst ? "" : "\n") + "==> \(file) <==\n"
  }

  /// How a transcript ends.
  enum Ending: String {
    /// With the recording.
    case end
    /// When the program was to end.
    case interrupted
    /// Where the recording was cut off.
    case cutOff = "cut off"
  }

  /// All of a file's transcript, with its line break; one that is not complete says so where the format
  /// has a place for it.
  func text(
    of transcript: Transcript, file: String, isFirst: Bool, ending: Ending = .end,
    rejected: [TranscriptSegment] = []
  ) throws -> String {
    switch format {
    case .txt where isTabbed:
      let line = transcript.segments.map(\.text).joined(separator: " ")
      return "\(file)\t\(line)\n"
    case .txt:
      return heading(of: file, isFirst: isFirst) + transcript.formatted(as: .txt)
    case .json:
      let line = FileTranscript(
        file: file, complete: ending == .end, duration: transcript.duration,
        text: transcript.segments.map(\.text).joined(separator: " "),
        segments: transcript.segments,
        rejected: rejects
          ? rejected.map {
            Rejection(start: $0.start, end: $0.end, text: $0.text, confidence: $0.confidence)
          } : nil)
      return try JSONText.line(of: line)
    case .vtt where ending != .end:
      return transcript.formatted(as: .vtt) + "\nNOTE Incomplete: \(ending.rawValue) here\n"
    case .srt, .vtt:
      return transcript.formatted(as: format)
    }
  }
}
