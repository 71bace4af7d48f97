import Foundation
import SpeechConcurrency
import SpeechTesting

/// Runs a scenario in a process of its own: a virtual world takes all tasks of its process, and what a
/// recogniser or a voice remembers from one scenario is no matter of the next. A crash is that scenario's.
struct ScenarioProcess: Sendable {
  /// Names the file for the outcome; a process that finds it runs one scenario and writes there.
  static let variable = "SPEECHKIT_SCENARIO_OUTCOME"

  let file: URL
  let overrides: ScenarioOverrides

  /// - Throws: `CancellationError`.
  func run() async throws -> ScenarioOutcome {
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
    let child = Guarded<Process>(process)
    let told = Guarded(Data())
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
        // Read beside it, so that no child waits for room in the pipe.
        let reading = errors.fileHandleForReading
        Thread.detachNewThread {
          let data = reading.readDataToEndOfFile()
          told.withLock { $0 = data }
        }
      }
    } onCancel: {
      child.withLock { if $0.isRunning { $0.terminate() } }
    }
    try Task.checkCancellation()
    if let data = try? Data(contentsOf: place),
      let outcome = try? JSONDecoder().decode(ScenarioOutcome.self, from: data)
    {
      return outcome
    }
    let (status, isSignal) = child.withLock {
      ($0.terminationStatus, $0.terminationReason == .uncaughtSignal)
    }
    let rest = String(decoding: told.withLock { $0 }, as: UTF8.self)
    return ScenarioOutcome(
      name: file.deletingPathExtension().lastPathComponent, file: file.relativePath,
      error: "Its process ended with \(isSignal ? "signal" : "status") \(status).\n\(rest)")
  }
}
