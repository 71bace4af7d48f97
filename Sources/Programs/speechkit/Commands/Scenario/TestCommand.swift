import SpeechCommand
import SpeechFiles
import SpeechTesting

struct TestCommand: Command {
  static let about = CommandDeclaration(
    name: "test",
    summary: "Run scenarios: conversations in text files, with expectations",
    discussion: """
      A scenario describes a voice loop, who says what and when, the noise and the room, the faults,
      and the expectations; see the article “Testing speech”. It runs in virtual time, without
      devices and network, with the same result each time. A folder stands for all its files that
      end in .scenario. Several scenarios run at once, each in its own process.

      The command prints a line for each scenario, and for a failed one the expectation, the nearest
      match, where the words differ, and the log.

      --update writes what happened to the files as the new expectations. Review the changes before
      you keep them.

      --json writes an array of objects with “name”, “file”, “passed”, “seed”, “duration”,
      “seconds”, “verdicts” (“expectation”, “line”, “time”, “objection”), “story” and “log”.
      """,
    examples: [
      "speechkit test scenarios": "Run all scenarios of a folder",
      "speechkit test scenarios --junit report.xml --html report.html":
        "Run in continuous integration",
      "speechkit test light.scenario --seed 7": "Run with another random seed",
      "speechkit test scenarios --recogniser fast": "Run with another recogniser",
      "speechkit test light.scenario --update": "Update the expectations",
    ],
    exits: [
      .different: "An expectation is not met.",
      .badData: "A scenario is not valid.",
      .noInput: "There is no such file, or no scenario in a folder.",
      .cannotCreate: "A report or a temporary file cannot be written.",
    ])

  @Argument("FILE", .input, isRequired: true, help: "Scenarios, or folders with scenarios.")
  var paths: [String]
  @Option(
    "--recogniser", as: .recogniser(in: .current),
    help: "The recogniser, NAME[:MODEL][@URL], instead of the scenarios' own.")
  var recogniser: BackendName?
  @Option(
    "--voice", "-v", as: .voice(in: .current),
    help: "The voice: a language (en-gb), a name, or ENGINE:NAME. See `speechkit voices`.")
  var voice: BackendName?
  @Option("--junit", as: .text("FILE", .output(.text)), help: "Write a report as JUnit XML.")
  var junit: String?
  @Option(
    "--html", as: .text("FILE", .output(.text)),
    help: "Write a report as a web page that shows and plays the voices.")
  var html: String?
  @Flag("--update", help: "Write what happened to the files as the new expectations.") var isUpdate
  @Option("--seed", as: .seed, help: "The random seed, instead of the scenarios' own.")
  var seed: UInt64?
  @Option(
    "--jobs", as: .count(in: 1...256),
    help: "The number of scenarios that run at once. Default: one for each processor.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  @Option(
    "--timeout", as: .number("SECONDS", in: 1...86_400),
    help: "The time after which a scenario is ended, in seconds. Default: 300.")
  var timeout = 300.0
  @Flag("--json", help: "Write the outcomes as JSON.") var isJSON

  private var places: [URL] { paths.map { URL(filePath: $0) } }

  private var overrides: ScenarioOverrides {
    ScenarioOverrides(seed: seed, recogniser: recogniser, voice: voice)
  }

  func run(on terminal: Terminal) async throws {
    if let place = ProcessInfo.processInfo.environment[ScenarioProcess.variable] {
      ScenarioProcess.endWithParent()
      return try await runAlone(places[0], outcome: URL(filePath: place))
    }
    let files = try findFiles()
    let outcomes = try await hold(files, terminal)
    if let junit {
      try await TextOutput().write(ScenarioJUnit.text(of: outcomes), to: URL(filePath: junit))
    }
    if let html {
      try await TextOutput().write(ScenarioPage.text(of: outcomes), to: URL(filePath: html))
    }
    if isJSON { try await terminal.writeJSON(outcomes.map(Self.record)) }
    if isUpdate { return try await update(outcomes, terminal) }
    let failed = outcomes.count { !$0.isPassed }
    await terminal.note("\(outcomes.count - failed) of \(outcomes.count) scenarios passed")
    if outcomes.contains(where: { $0.error != nil }) { throw CommandFailure(.badData) }
    if failed > 0 { throw CommandFailure(.different) }
  }

  private func findFiles() throws -> [URL] {
    var files: [URL] = []
    for place in places {
      let found = try Scenario.files(in: place)
      let path = place.relativePath
      guard !found.isEmpty else {
        throw CommandFailure(.noInput, "There is no scenario in “\(path)”.")
      }
      guard FileManager.default.isReadableFile(atPath: found[0].path(percentEncoded: false)) else {
        throw CommandFailure(.noInput, "There is no file “\(path)” that can be read.")
      }
      files += found
    }
    return files
  }

  /// Runs one scenario, in a process that was started for it.
  private func runAlone(_ file: URL, outcome place: URL) async throws {
    var outcome: ScenarioOutcome
    do {
      outcome = try await overrides.applied(to: Scenario(contentsOf: file)).run(
        seed: overrides.seed)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      outcome = ScenarioOutcome(
        name: file.deletingPathExtension().lastPathComponent, file: file.relativePath,
        seed: overrides.seed ?? 1, error: error.localizedDescription)
    }
    try TemporaryFile.write(
      try JSONEncoder().encode(outcome), to: place.path(percentEncoded: false))
  }

  /// Runs the scenarios, and reports each after those before it.
  private func hold(_ files: [URL], _ terminal: Terminal) async throws -> [ScenarioOutcome] {
    let bar = ProgressBar(title: "\(files.count) scenarios")
    var outcomes = [ScenarioOutcome?](repeating: nil, count: files.count)
    var told = 0
    try await withThrowingTaskGroup(of: (Int, ScenarioOutcome).self) { group in
      var waiting = files.enumerated().makeIterator()
      func startNext() {
        guard let (index, file) = waiting.next() else { return }
        let process = ScenarioProcess(
          file: file, overrides: overrides, timeout: .seconds(timeout))
        group.addTask { (index, try await process.run()) }
      }
      for _ in 0..<jobs { startNext() }
      while let (index, outcome) = try await group.next() {
        outcomes[index] = outcome
        startNext()
        let done = outcomes.count { $0 != nil }
        await terminal.showStatus(bar.text(Double(done) / Double(files.count)))
        while told < files.count, let next = outcomes[told] {
          told += 1
          if !isJSON { try await terminal.writeLine(next.account) }
        }
      }
    }
    await terminal.showStatus("")
    return outcomes.compactMap(\.self)
  }

  private func update(_ outcomes: [ScenarioOutcome], _ terminal: Terminal) async throws {
    for outcome in outcomes {
      guard outcome.error == nil else { continue }
      let file = URL(filePath: outcome.file)
      let text = try String(contentsOf: file, encoding: .utf8)
      let update = ScenarioUpdate(text, of: try Scenario(text, file: file), by: outcome)
      if update.isChanged { try await TextOutput().write(update.text, to: file) }
      await terminal.note(
        "\(outcome.file): \(update.isChanged ? "what happened is expected now" : "as it was")")
    }
    if outcomes.contains(where: { $0.error != nil }) { throw CommandFailure(.badData) }
  }

  private static func record(_ outcome: ScenarioOutcome) -> JSONRecord {
    [
      "name": outcome.name, "file": outcome.file, "passed": outcome.isPassed,
      "seed": outcome.seed, "duration": outcome.duration, "seconds": outcome.seconds,
      "error": outcome.error, "verdicts": outcome.verdicts, "story": outcome.story,
      "log": outcome.log,
    ]
  }
}
