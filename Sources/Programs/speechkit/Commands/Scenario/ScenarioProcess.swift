import SpeechConcurrency
import SpeechTesting

/// Runs a scenario in a process of its own. A virtual world takes over all tasks of its process,
/// the state of a recogniser or voice must not affect the next scenario, and a crash is reported
/// for its scenario only.
struct ScenarioProcess: Sendable {
  /// The environment variable with the file for the outcome. A process that has it runs one
  /// scenario and writes its outcome there.
  static let variable = "SPEECHKIT_SCENARIO_OUTCOME"

  let file: URL
  let overrides: ScenarioOverrides
  let timeout: Duration

  /// Ends this process when the one that started it has ended, even if that was killed: the other
  /// end of standard input is then closed.
  static func endWithParent() {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      _exit(EXIT_FAILURE)
    }
  }

  func run() async throws -> ScenarioOutcome {
    struct Timeout: Error {}
    do {
      return try await within(timeout, on: ContinuousClock(), orThrow: Timeout()) {
        try await runToTheEnd()
      }
    } catch is Timeout {
      let time = timeout.formatted(.units(allowed: [.minutes, .seconds], width: .wide))
      return failure("It did not end within \(time). Shorten it, or set another --timeout.")
    }
  }

  private func runToTheEnd() async throws -> ScenarioOutcome {
    let place = FileManager.default.temporaryDirectory.appending(
      path: "speechkit-outcome-\(UUID())")
    defer { try? FileManager.default.removeItem(at: place) }
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments =
      ["test", file.path(percentEncoded: false)] + overrides.arguments
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = place.path(percentEncoded: false)
    process.environment = environment
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    let lifeline = Pipe()
    process.standardInput = lifeline
    let child = Guarded<Process>(process)
    let report = Guarded(Data())
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        child.withLock { process in
          process.terminationHandler = { _ in continuation.resume() }
          do {
            try process.run()
          } catch {
            process.terminationHandler = nil
            continuation.resume(throwing: error)
          }
        }
        // Read at the same time, so that the child is never blocked by a full pipe.
        let reading = errors.fileHandleForReading
        Thread.detachNewThread {
          let data = reading.readDataToEndOfFile()
          report.withLock { $0 = data }
        }
      }
    } onCancel: {
      // The thread of a task blocks signals, and its children inherit that: SIGTERM might have no
      // effect.
      child.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } }
    }
    // Foundation keeps a process, and its pipe, until it was waited for.
    child.withLock { $0.waitUntilExit() }
    withExtendedLifetime(lifeline) {}
    try Task.checkCancellation()
    if let data = try? Data(contentsOf: place),
      var outcome = try? JSONDecoder().decode(ScenarioOutcome.self, from: data)
    {
      // The name given to this process, not to the child.
      outcome.file = file.relativePath
      return outcome
    }
    let (status, isSignal) = child.withLock {
      ($0.terminationStatus, $0.terminationReason == .uncaughtSignal)
    }
    let rest = String(decoding: report.withLock { $0 }, as: UTF8.self)
    return failure(
      "Its process ended with \(isSignal ? "signal" : "status") \(status).\n\(rest)")
  }

  private func failure(_ text: String) -> ScenarioOutcome {
    ScenarioOutcome(
      name: file.deletingPathExtension().lastPathComponent, file: file.relativePath, error: text)
  }
}
