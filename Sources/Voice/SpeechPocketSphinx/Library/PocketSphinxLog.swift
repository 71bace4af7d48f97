import CPocketSphinx
import Foundation
import SpeechAudio
import SpeechConcurrency

/// The library's log: silent unless somebody asks for it.
///
/// ```swift
/// PocketSphinxLog.setReceiver { level, line in
///   if level >= .warning { FileHandle.standardError.write(Data(line.utf8)) }
/// }
/// ```
package enum PocketSphinxLog {
  /// How grave a line of the log is.
  package enum Level: Int, Sendable, Comparable {
    /// For those who debug the library.
    case debug
    /// What it is doing.
    case info
    /// More of the line before.
    case continuation
    /// Something is odd.
    case warning
    /// Something failed.
    case error
    /// Something failed and the library gives up.
    case fatal

    /// Whether the left one is the less grave.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private struct State {
    var receiver: (@Sendable (Level, String) -> Void)?
    /// Errors by the thread that is collecting them: the library has one log for all its decoders.
    var errors: [UInt: [String]] = [:]
  }

  private static let state = Guarded(State())

  private static let installed: Void = skps_set_log { level, message in
    guard let message else { return }
    PocketSphinxLog.receive(level: Int(level), message)
  }

  /// Sends every line to this function from now on, from whatever thread decodes; `nil` for silence.
  package static func setReceiver(_ receiver: (@Sendable (Level, String) -> Void)?) {
    silence()
    state.withLock { $0.receiver = receiver }
  }

  /// Keeps the library off the terminal. Has to come before anything else that the library does.
  static func silence() { _ = installed }

  /// Runs the body and returns its result with the errors that the library logged on this thread.
  static func collectingErrors<Result>(_ body: () -> Result) -> (result: Result, errors: [String]) {
    silence()
    let thread = UInt(pthread_self())
    state.withLock { $0.errors[thread] = [] }
    let result = body()
    let errors = state.withLock { $0.errors.removeValue(forKey: thread) }
    return (result, errors ?? [])
  }

  private static func receive(level rawLevel: Int, _ message: UnsafePointer<CChar>) {
    let level = Level(rawValue: rawLevel) ?? .info
    let receiver = state.withLock { state in
      if level >= .error {
        let thread = UInt(pthread_self())
        state.errors[thread]?.append(plain(String(cString: message)))
      }
      return state.receiver
    }
    receiver?(level, String(cString: message))
  }

  /// The message without the level and the source line that the library puts in front.
  private static func plain(_ line: String) -> String {
    var text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    for start in ["ERROR: ", "FATAL: "] where text.hasPrefix(start) {
      text.removeFirst(start.count)
    }
    if text.hasPrefix("\""), let colon = text.range(of: ": ") {
      text = String(text[colon.upperBound...])
    }
    return text
  }
}
