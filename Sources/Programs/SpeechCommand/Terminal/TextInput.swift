import Foundation
import SpeechConcurrency

/// The origin of a text on the command line.
package enum TextSource: Sendable, Equatable {
  case text(String)
  case file(String)
  case standardInput

  /// A file, or standard input for “-”.
  package init(path: String) { self = path == "-" ? .standardInput : .file(path) }
}

/// Reads a whole text from a file or from standard input.
///
/// Reading a pipe blocks, so it has a queue of its own. Cancelling the task ends the wait.
package actor TextInput {
  /// A limit that no reasonable text reaches: speaking 16 MiB takes two weeks.
  package static let maximumBytes = 16 << 20

  private let executor = SerialQueueExecutor(label: "speechkit.text")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init() {}

  /// Reads the text of a file or of a named pipe.
  package func read(path: String) throws -> String {
    // Without O_NONBLOCK, opening a named pipe that has no writer would block.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.missing(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw CommandFailure(.noInput, "“\(path)” is a folder, not a file.")
    }
    return try read(descriptor, name: "“\(path)”")
  }

  /// Reads the lines of a file, without white space around them, empty lines and comments.
  package func readLines(path: String) throws -> [String] {
    try read(path: path).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  package func read(_ source: TextSource) throws -> String {
    switch source {
    case .text(let text): text
    case .file(let path): try read(path: path)
    case .standardInput: try read(STDIN_FILENO, name: "Standard input")
    }
  }

  private func read(_ descriptor: Int32, name: String) throws -> String {
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try piece.withUnsafeMutableBytes {
        try descriptor.readWhenReady(into: $0, name: name)
      }
      if count == 0 { break }
      data.append(contentsOf: piece[..<count])
      guard data.count <= Self.maximumBytes else {
        throw CommandFailure(.badData, "\(name) is longer than 16 MiB of text. Split it.")
      }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandFailure(.badData, "\(name) is not text in UTF-8. Convert it with iconv.")
    }
    return text
  }

  private static func missing(_ path: String, _ code: Int32) -> CommandFailure {
    let reason = String(cString: strerror(code))
    return CommandFailure(
      .noInput,
      code == ENOENT
        ? "There is no file “\(path)”. Check the path." : "“\(path)” cannot be read: \(reason).")
  }
}

extension Int32 {
  /// Waits until the descriptor has something, and reads it.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: `CommandFailure`, with the name of what is read; `CancellationError`.
  package func readWhenReady(
    into buffer: UnsafeMutableRawBufferPointer, name: String = "Standard input"
  ) throws -> Int {
    while true {
      // With a timeout, so that cancellation is noticed.
      var wish = pollfd(fd: self, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wish, 1, 50)
      try Task.checkCancellation()
      guard ready != 0 else { continue }
      let count = Foundation.read(self, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard [EINTR, EAGAIN].contains(errno) else {
        throw CommandFailure(
          .ioError, "\(name) could not be read: \(String(cString: strerror(errno))).")
      }
    }
  }
}
