import AIServices
import Foundation

/// What can be wrong with a recording, or with what is asked of it.
public enum TrafficError: Error, Sendable, Equatable {
  /// The file is not a recording, or a damaged one.
  case malformed(TrafficFault)
  /// The recording was made by a later version of the toolkit, in a format of that number.
  case newerFormat(Int)
  /// The file cannot be read or written; the text says why.
  case fileFailed(String)
  /// Something was asked that was not recorded.
  case notRecorded(TrafficMismatch)
  /// More is read of an answer than was when it was recorded; the text names the request.
  case endsHere(String)
}

/// Where a file with a recording is damaged, and how.
public struct TrafficFault: Sendable, Equatable, CustomStringConvertible {
  /// The file, if it was read from one.
  public var file: String?
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in code points.
  public var column: Int
  /// What is wrong.
  public var message: String

  /// `FILE:LINE:COLUMN: MESSAGE`.
  public var description: String { "\(file.map { "\($0):" } ?? "")\(line):\(column): \(message)" }
}

extension TrafficError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .malformed(let fault):
      "The recording cannot be read: \(fault.description) Record it anew, or mend the file."
    case .newerFormat(let number):
      "The recording has format \(number), and this version reads 1. Use a later version of the "
        + "toolkit, or record anew."
    case .fileFailed(let text): text
    case .notRecorded(let mismatch): "\(mismatch.description)\nRecord anew if this is meant."
    case .endsHere(let title):
      "The recording of \(title) ends here, because its reader let go of the answer. Record anew, and "
        + "read to the end."
    }
  }
}

extension TrafficError: ConnectionFailure {
  /// A recording says the same again.
  package var isFinal: Bool { true }
}
