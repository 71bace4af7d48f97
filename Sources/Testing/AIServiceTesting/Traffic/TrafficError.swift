import AIServices
import Foundation

/// An error of a recording, or of a request that does not match one.
public enum TrafficError: Error, Sendable, Equatable {
  /// The file is not a recording, or is damaged.
  case malformed(TrafficDiagnostic)
  /// The recording has a format of that number, which this version cannot read.
  case otherFormat(Int)
  /// The file cannot be read or written; the text gives the reason.
  case fileFailed(String)
  /// A request or message has no counterpart in the recording.
  case notRecorded(TrafficMismatch)
  /// The reader continues an answer that its recorded reader released early; the text names the
  /// request.
  case endsHere(String)
}

/// A damaged line of a recording.
public struct TrafficDiagnostic: Sendable, Equatable, CustomStringConvertible {
  /// The name of the file, if the recording was read from one.
  public var file: String?
  /// The line, counted from 1.
  public var line: Int
  /// A description of the damage.
  public var message: String

  /// The diagnostic as `FILE:LINE: MESSAGE`.
  public var description: String { "\(file.map { "\($0):" } ?? "")\(line): \(message)" }
}

extension TrafficError: LocalizedError {
  /// A description of the error and of what to do about it.
  public var errorDescription: String? {
    switch self {
    case .malformed(let diagnostic):
      "The recording cannot be read: \(diagnostic.description) Record again, or correct the file."
    case .otherFormat(let number):
      "The recording has format \(number), but this version reads \(TrafficRecording.format). "
        + (number > TrafficRecording.format
          ? "Use a later version of the toolkit, or record again." : "Record again.")
    case .fileFailed(let text): text
    case .notRecorded(let mismatch):
      "\(mismatch.description)\nRecord again if the change is intended."
    case .endsHere(let title):
      "The recording of \(title) ends here, because its reader released the answer early. "
        + "Record again, and read to the end."
    }
  }
}

extension TrafficError: ConnectionFailure {
  /// True, because another attempt meets the same recording.
  package var isFinal: Bool { true }
}
