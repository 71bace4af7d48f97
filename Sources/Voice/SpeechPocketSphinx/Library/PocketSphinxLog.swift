import CPocketSphinx
import Foundation
import SpeechConcurrency

/// The log output of the library, of which only the errors of a call are kept.
enum PocketSphinxLog {
  /// The errors by the thread that collects them: the library has one log for all its decoders.
  private static let errors = Guarded<[UInt: [String]]>([:])
  /// The library's number of the least severe error; below it are warnings and information.
  private static let errorLevel = 4

  private static let installed: Void = skps_set_log { level, message in
    guard let message, level >= PocketSphinxLog.errorLevel else { return }
    let line = PocketSphinxLog.plain(String(cString: message))
    PocketSphinxLog.errors.withLock { $0[UInt(pthread_self())]?.append(line) }
  }

  /// Keeps the library from writing to the terminal. Must come before any other call of the
  /// library.
  static func silence() { _ = installed }

  /// Runs the body and returns its result with the errors that the library logged on this thread.
  static func collectingErrors<Result>(_ body: () -> Result) -> (result: Result, errors: [String]) {
    silence()
    let thread = UInt(pthread_self())
    errors.withLock { $0[thread] = [] }
    let result = body()
    return (result, errors.withLock { $0.removeValue(forKey: thread) } ?? [])
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
