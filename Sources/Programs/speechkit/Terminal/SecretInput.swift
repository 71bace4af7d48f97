#if Cloud
import AIServices
import Foundation
import SpeechCommand
import SpeechConcurrency

/// Reads a secret: from the terminal without showing it, or from standard input if that is not a
/// terminal.
///
/// Reading blocks, so it has a queue of its own. Cancelling the task ends the wait and restores the
/// terminal before anything else happens.
actor SecretInput {
  private let executor = SerialQueueExecutor(label: "speechkit.secret")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Reads the secret, with the white space around it.
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
    // More than is allowed, so that the validator sees a secret that is too long and refuses it.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: AICredentialValidator.sizeLimit + 1_024, alignment: 1)
    var count = 0
    defer {
      if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
      buffer.deallocate()
    }
    while count < buffer.count {
      let read = try STDIN_FILENO.readWhenReady(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
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

  /// Returns `nil` if the descriptor is not a terminal.
  init?(_ descriptor: Int32) {
    var settings = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    // Ctrl-Z would leave the shell with a terminal that shows nothing. On Linux a zero disables a
    // key.
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VSUSP)] = 0
    }
    // Drops what was typed before the prompt, because it was shown.
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Restores the terminal. Input that was not read is dropped: the shell would show it and take it
  /// for a command.
  func restore() {
    var settings = before
    tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Writes a prompt to standard error, wherever the program's output goes.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in _ = Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
#endif
