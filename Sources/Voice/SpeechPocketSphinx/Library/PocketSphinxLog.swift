import CPocketSphinx
import Foundation
import SpeechAudio
import SpeechConcurrency

/// The log output of the library, which is discarded unless a receiver is set.
///
/// ```swift
/// PocketSphinxLog.setReceiver { level, line in
///   if level >= .warning { FileHandle.standardError.write(Data(line.utf8)) }
/// }
/// ```
package enum PocketSphinxLog {
  /// The severity of a line of the log.
  package enum Level: Int, Sendable, Comparable {
    /// Information for debugging the library.
    case debug
    /// A step of the library's work.
    case info
    /// The continuation of the line before.
    case continuation
    /// A warning.
    case warning
    /// An error.
    case error
    /// An error after which the library ends the process.
    case fatal

    /// Returns true if the left level is the less severe one.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private struct State {
    var receiver: (@Sendable (Level, String) -> Void)?
    /// The errors by the thread that collects them: the library has one log for all its decoders.
    var errors: [UInt: [String]] = [:]
  }

  private static let state = Guarded(State())

  private static let installed: Void = skps_set_log { level, message in
    guard let message else { return }
    PocketSphinxLog.receive(level: Int(level), message)
  }

  /// Sends every line to this function from now on, on the decoding thread; `nil` discards them.
  package static func setReceiver(_ receiver: (@Sendable (Level, String) -> Void)?) {
    silence()
    state.withLock { $0.receiver = receiver }
  }

  /// Keeps the library from writing to the terminal. Must come before any other call of the
  /// library.
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

  /// The message without the level and the source line that precede it.
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
