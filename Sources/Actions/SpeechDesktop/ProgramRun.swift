import Foundation
import SpeechConcurrency

/// A program that runs to its end: without a shell, with a time limit, and with text on its
/// standard input instead of among its arguments.
package struct ProgramRun: Sendable {
  package struct Ending: Sendable {
    /// The exit status; 128 plus the signal number if a signal killed it.
    package var status: Int32
    package var output = Data()
    package var errors = ""
  }

  package enum Connections: Sendable {
    case own
    /// None, for programs whose background processes may write after their end.
    case none
    /// The streams of this process, for interactive programs.
    case shared
  }

  static let mostOutput = 16 << 20

  package var path: String
  package var arguments: [String]
  package var environment: [String: String]
  /// The standard input; empty if `nil`.
  package var input: Data?
  /// True if the standard input stays open after its data, until the program or this process has
  /// ended: the program can then notice the end of this process.
  package var isInputHeld = false
  /// The time limit; none if `nil`.
  package var timeout: Duration? = .seconds(5)
  package var connections = Connections.own

  package init(
    _ path: String, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  /// Runs the program. Cancelling the task kills it.
  ///
  /// Background processes that the program leaves, as those do that keep a selection, are not
  /// waited for.
  ///
  /// - Throws: `DesktopError.failed`; `timedOut`; `CancellationError`.
  package func run() async throws -> Ending {
    try Task.checkCancellation()
    return try await ExternalWork.run { try await runChild() }
  }

  private func runChild() async throws -> Ending {
    let child = try SpawnedProgram(self)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Separate threads, because both block.
        Thread.detachNewThread { child.waitForEnd() }
        Thread.detachNewThread {
          continuation.resume(with: Result { try child.attend(timeout: timeout) })
        }
      }
    } onCancel: {
      child.wake(.cancelled)
    }
  }
}
