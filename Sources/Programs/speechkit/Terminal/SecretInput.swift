#if Cloud
import AIServices
import Foundation
import SpeechConcurrency
import SpeechKit

/// Reads a secret: from the terminal without showing it, or from standard input where that is no terminal.
///
/// On a queue of its own, because people and pipes make wait; cancelling the task ends the wait, and gives the
/// terminal back as it was before anything else happens.
actor SecretInput {
  private let executor = SerialQueueExecutor(label: "speechkit.secret")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The secret, with the white space that was around it.
  ///
  /// - Throws: `CommandFailure`; `CancellationError`.
  func read(prompt: String) async throws -> SecureString {
    guard let quiet = QuietTerminal(STDIN_FILENO) else { return try read(untilLineBreak: false) }
    // In the handler, because a second signal may end the program at any moment after the first.
    return try await withTaskCancellationHandler {
      defer {
        quiet.restore()
        quiet.write("\n")
      }
      quiet.write(prompt)
      return try read(untilLineBreak: true)
    } onCancel: {
      quiet.restore()
    }
  }

  private func read(untilLineBreak: Bool) throws -> SecureString {
    // A byte more than is allowed, so that too much is noticed and refused where that is judged.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: AICredentialValidator.mostBytes + 1_024, alignment: 1)
    var count = 0
    defer {
      if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
      buffer.deallocate()
    }
    while count < buffer.count {
      // With a limit, so that a task that was cancelled notices.
      var wish = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wish, 1, 50)
      try Task.checkCancellation()
      guard ready != 0 else { continue }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = Foundation.read(STDIN_FILENO, rest.baseAddress, rest.count)
      if read < 0, [EINTR, EAGAIN].contains(errno) { continue }
      guard read >= 0 else {
        throw CommandFailure(
          .ioError, "Standard input could not be read: \(String(cString: strerror(errno))).")
      }
      if read == 0 { break }
      count += read
      if untilLineBreak, buffer[count - 1] == UInt8(ascii: "\n") { break }
    }
    return SecureString(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}

/// A terminal that does not show what is typed.
private final class QuietTerminal: Sendable {
  private let descriptor: Int32
  private let before: termios

  /// `nil` for what is no terminal.
  init?(_ descriptor: Int32) {
    var settings = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    // Ctrl-Z would leave the shell with a terminal that shows nothing. On Linux a zero takes a key its
    // meaning.
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VSUSP)] = 0
    }
    // What was typed before the question is dropped, as it was shown.
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Makes it as it was. What is left of what was typed or pasted is dropped: the shell would show it, and take
  /// it for a command.
  func restore() {
    var settings = before
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Says something to whoever types, wherever the tool's own output goes.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
#endif
