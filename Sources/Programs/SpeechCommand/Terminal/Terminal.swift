import Foundation
import SpeechConcurrency

/// Standard output for results and standard error for everything else.
///
/// Writing is checked, and happens on a queue of its own, because a full pipe blocks until it is
/// read.
package actor Terminal {
  /// True if standard error is a terminal, where progress is shown.
  package nonisolated let isInteractive: Bool
  /// True if standard output is a terminal, where colours may be used.
  package nonisolated let showsResults: Bool

  private let executor = SerialQueueExecutor(label: "speechkit.terminal")
  private let output: Int32
  private let errors = STDERR_FILENO
  private var status: [StatusLine] = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter output: the descriptor that results are written to.
  package init(output: Int32 = STDOUT_FILENO) {
    self.output = output
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    isInteractive = isatty(errors) == 1 && kind != "dumb"
    showsResults = isatty(output) == 1 && kind != "dumb"
  }

  /// Writes a result.
  package func write(_ text: String) throws {
    try write(Data(text.utf8))
  }

  /// Writes a result and a line break.
  package func writeLine(_ text: String) throws {
    try write(text + "\n")
  }

  /// Writes a value as one line of JSON.
  package func writeJSON(_ value: some Encodable & Sendable) throws {
    try write(JSONText.line(of: value))
  }

  /// Writes a result as text, or as one line of JSON.
  package func write(_ text: String, json: some Encodable & Sendable, isJSON: Bool) throws {
    if isJSON { try writeJSON(json) } else { try write(text) }
  }

  /// Writes a result that is not text.
  package func write(_ data: Data) throws {
    let shown = status
    showStatus([])
    let code = Self.writeAll(data, to: output)
    guard code == 0 else {
      throw code == EPIPE ? OutputError.closed : .failed(String(cString: strerror(code)))
    }
    showStatus(shown)
  }

  /// Writes a message to standard error. Failures are ignored.
  package func note(_ text: String) {
    let shown = status
    showStatus([])
    var line = text.harmless(keeping: ["\n"])
    if !line.hasSuffix("\n") { line += "\n" }
    _ = Self.writeAll(Data(line.utf8), to: errors)
    showStatus(shown)
  }

  /// Shows a line that changes in place; an empty one removes it. Does nothing without a terminal.
  package func showStatus(_ text: String) { showStatus(text.isEmpty ? [] : [StatusLine(text)]) }

  /// Shows lines that change in place; an empty array removes them. Does nothing without a
  /// terminal.
  package func showStatus(_ lines: [StatusLine]) {
    guard isInteractive, lines != status else { return }
    let width = max(1, size.columns - 1)
    let drawn = (lines.isEmpty ? [StatusLine("")] : lines).map { $0.drawn(width: width) }
    // Moves from the last line back to the first, and clears the lines that are left over.
    let up = status.count > 1 ? "\u{1B}[\(status.count - 1)A" : ""
    let rest = status.count > drawn.count ? "\u{1B}[J" : ""
    status = lines
    let text = drawn.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
    _ = Self.writeAll(Data("\(up)\r\(text)\(rest)".utf8), to: errors)
  }

  /// The size of the terminal in characters and lines; 80 × 24 where it is unknown.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(errors, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// - Returns: 0, or the error number.
  private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN:
          // Another program made the descriptor non-blocking, as happens on shared terminals.
          var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wish, 1, -1)
        default: return errno
        }
      }
      return 0
    }
  }
}
