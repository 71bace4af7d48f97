import Foundation
import SpeechConcurrency

/// The last complaints of the library, which it writes to standard error unless they are taken. It
/// gives the reason for a failure nowhere else.
enum WhisperLog {
  typealias Callback =
    @convention(c) @Sendable (CInt, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void

  private static let complaints = Guarded<[String]>([])
  private static let maximum = 4
  /// The level of a warning. Errors are above it.
  private static let warning: CInt = 3
  private static let error: CInt = 4

  static func attach(_ functions: WhisperFunctions) {
    functions.setLog({ level, text, _ in WhisperLog.note(level, text) }, nil)
  }

  private static func note(_ level: CInt, _ text: UnsafePointer<CChar>?) {
    guard level == warning || level == error, let text else { return }
    let line = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !line.isEmpty else { return }
    complaints.withLock { complaints in
      complaints = Array((complaints + [line]).suffix(maximum))
    }
  }

  /// Forgets earlier complaints.
  static func clear() { complaints.withLock { $0 = [] } }

  /// The complaints since they were cleared, as the end of a sentence. Those of decodings at the
  /// same time are among them, because the library has one log.
  static var reason: String {
    let lines = complaints.withLock { $0 }
    return lines.isEmpty ? "" : ": " + lines.joined(separator: "; ")
  }
}
