import Foundation

/// A program of the system that is run to its end: without a shell, for a limited time, with text on its
/// standard input and never among its arguments.
package struct ProgramRun: Sendable {
  /// How a program ended.
  package struct Ending: Sendable {
    /// What it ended with; 128 and the number of the signal that killed it.
    package var status: Int32
    /// What it wrote.
    package var output = Data()
    /// What it complained of.
    package var errors = ""
  }

  /// Where its standard input, output and errors are.
  package enum Connections: Sendable {
    /// With us.
    case own
    /// Where ours are; for a program that a person works with.
    case shared
  }

  /// Nobody selects more.
  static let mostOutput = 16 << 20

  package var path: String
  package var arguments: [String]
  package var environment: [String: String]
  /// What it reads; nothing if `nil`.
  package var input: Data?
  /// How long it may take; `nil` for as long as it wants.
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

  /// Where the program of that name is, by `PATH`; `nil` where it is not.
  package static func path(of program: String, _ environment: [String: String]) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Runs it. Cancelling the task kills it.
  ///
  /// What a program leaves behind in the background, as those do that keep a selection, is not waited for.
  ///
  /// - Throws: `DesktopError.failed`; `timedOut`; `CancellationError`.
  package func run() async throws -> Ending {
    try Task.checkCancellation()
    let child = try SpawnedProgram(self)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Threads of its own, because waiting is all that happens there.
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
