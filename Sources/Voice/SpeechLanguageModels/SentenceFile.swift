import Foundation

/// A text file that is read line by line, never as a whole.
struct SentenceFile {
  let url: URL
  static let longestLine = 1 << 20

  init(_ url: URL) { self.url = url }

  /// Calls the body with each line, without its end.
  ///
  /// - Throws: `LanguageModelError`, `CancellationError`, or errors of the body.
  func forEachLine(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var filled = 0
    var number = 0
    while true {
      try Task.checkCancellation()
      if filled == buffer.count {
        guard buffer.count < Self.longestLine else {
          throw LanguageModelError(
            path: url.path, line: number + 1,
            reason: "it is longer than 1 MiB. Write each sentence into a line of its own.")
        }
        buffer += [UInt8](repeating: 0, count: buffer.count)
      }
      let count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      let end = filled + count
      filled = try buffer.withUnsafeMutableBufferPointer { bytes in
        var start = 0
        var place = filled
        while place < end {
          if bytes[place] == UInt8(ascii: "\n") {
            number += 1
            try body(UnsafeBufferPointer(rebasing: bytes[start..<place]))
            start = place + 1
          }
          place += 1
        }
        if count == 0, start < end { try body(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
        // The incomplete last line moves to the front.
        for (target, source) in (start..<end).enumerated() { bytes[target] = bytes[source] }
        return end - start
      }
      if count == 0 { return }
    }
  }

  private func unreadable(_ code: Int32) -> LanguageModelError {
    LanguageModelError(
      .unreadable, path: url.path,
      reason: code == ENOENT
        ? "there is no such file. Check the path."
        : "it cannot be read: \(String(cString: strerror(code))).")
  }
}
