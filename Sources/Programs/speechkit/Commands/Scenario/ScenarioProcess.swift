import SpeechCommand
import SpeechDesktop
import SpeechFiles
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

  /// - Throws: `CommandFailure` if the process could not work; `TemporaryFileError`;
  ///   `DesktopError`; `CancellationError`.
  func run() async throws -> ScenarioOutcome {
    let place = try TemporaryFile("outcome")
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = place.path
    var program = ProgramRun(
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false),
      ["test", file.path(percentEncoded: false)] + overrides.arguments, environment: environment)
    program.input = Data()
    program.isInputHeld = true
    program.timeout = timeout
    let ending: ProgramRun.Ending
    do {
      ending = try await program.run()
    } catch DesktopError.timedOut {
      let time = timeout.formatted(.units(allowed: [.minutes, .seconds], width: .wide))
      return failure("It did not end within \(time). Shorten it, or set another --timeout.")
    }
    if let data = FileManager.default.contents(atPath: place.path),
      var outcome = try? JSONDecoder().decode(ScenarioOutcome.self, from: data)
    {
      // The name given to this process, not to the child.
      outcome.file = file.relativePath
      return outcome
    }
    // A process that reports its own failure was hindered by its surroundings, not by the scenario.
    if let status = ExitStatus(rawValue: ending.status), status != .software {
      let words = ending.errors.trimmingPrefix("speechkit: ")
      throw CommandFailure(status, words.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return failure("Its process ended with status \(ending.status).\n\(ending.errors)")
  }

  private func failure(_ text: String) -> ScenarioOutcome {
    ScenarioOutcome(
      name: file.deletingPathExtension().lastPathComponent, file: file.relativePath, error: text)
  }
}
