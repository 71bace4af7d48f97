import SpeechCommand
import SpeechKit

struct TranscriptLayout: Sendable {
  var format: TranscriptFormat
  var isTabbed = false
  /// True if there are several files, each of which needs a heading.
  var hasHeadings = false
  /// True if utterances may be rejected, and JSON lists them.
  var rejects = false
  /// True if a further recogniser reads what a grammar rejects.
  var isDictated = false

  /// True if each utterance can be written as soon as it is recognised.
  var isLineByLine: Bool { format == .txt && !isTabbed }

  /// The heading above the text of a file.
  func heading(of file: String, isFirst: Bool) -> String {
    guard hasHeadings, isLineByLine else { return "" }
    return (isFirst ? "" : "\n") + "==> \(file) <==\n"
  }

  /// The end of a transcript.
  enum Ending: String {
    /// At the end of the recording.
    case end
    /// At an interruption of the program.
    case interrupted
    /// At the point where the recording is truncated.
    case cutOff = "cut off"
  }

  /// The transcript of a file, with its line break. An incomplete one says so if the format can
  /// express it.
  func text(
    of transcript: Transcript, file: String, isFirst: Bool, ending: Ending = .end,
    rejected: [RejectedUtterance] = []
  ) throws -> String {
    switch format {
    case .txt where isTabbed:
      let line = transcript.segments.map(\.text).joined(separator: " ")
      return "\(file)\t\(line)\n"
    case .txt:
      return heading(of: file, isFirst: isFirst) + transcript.formatted(as: .txt)
    case .json:
      let rejections = rejected.map { utterance -> JSONRecord in
        [
          "start": utterance.start, "end": utterance.end, "text": utterance.nearest.text,
          "confidence": utterance.nearest.confidence,
        ]
      }
      let record: JSONRecord = [
        "file": file, "complete": ending == .end, "duration": transcript.duration,
        "text": transcript.segments.map(\.text).joined(separator: " "),
        "segments": transcript.segments, "rejected": rejects ? rejections : nil,
      ]
      return try JSONText.line(of: record)
    case .vtt where ending != .end:
      return transcript.formatted(as: .vtt) + "\nNOTE Incomplete: \(ending.rawValue) here\n"
    case .srt, .vtt:
      return transcript.formatted(as: format)
    }
  }
}
