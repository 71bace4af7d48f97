#if Cloud
import SpeechActions
import SpeechCommand
import SpeechDesktop
import SpeechKit
import SpokenActions

struct RunCommand: Command {
  static let about = CommandDeclaration(
    name: "run",
    summary: "Run an action on a text: translate, summarise, correct, …",
    discussion: """
      The answer is written to standard output; a terminal shows it while it arrives, with the
      answers of several connectors side by side. Standard error has one line per connector with its
      latency, tokens and cost, or its error.

      Without ACTION the default action runs: a single argument that is not the name of an action is
      the text, and so is standard input with “-”. A name that resembles an action's is an error.

      With several --connector, all are asked at once and all answers count, unless --mode says
      otherwise. Ctrl-C cancels the run; no request is sent after it.

      With --selection the text is the selection of the desktop. --replace replaces it with the
      answer: a short answer is typed, a longer one is pasted through the clipboard. Actions with
      the post-processing step “replace” do so by default, unless --copy is given. See `speechkit
      setup --hot-key`.

      With --speak the answer is spoken sentence by sentence while it arrives: that of the first
      connector to begin, or, if all answers count, that of the first connector. Ctrl-C stops it.

      With --json each event is an object on a line: “event” (started, text, finished, failed,
      cancelled, completed), “connector”, and depending on the event: “text”, “structured”,
      “latencyMilliseconds”, “firstTextMilliseconds”, “inputTokens”, “outputTokens”, “cost”,
      “isCached”, “isCutOff” (finished), “error” (failed, completed), “reason” (cancelled),
      “answers” (completed).
      """,
    examples: [
      "speechkit run translate \"Guten Tag\" --to en": "Translate",
      "speechkit run \"Guten Tag\"": "Run the default action",
      "git diff | speechkit run review-code -": "Review a change",
      "speechkit run translate --selection --to es --replace": "For a hot key",
      "speechkit run summarise -f long.txt -c fast -c good": "Two answers side by side",
      "speechkit run translate hello --to de --speak": "Hear the answer",
    ],
    exits: [
      .success: "There is an answer. Some connectors may have failed.",
      .badData: "The text is empty, the answer has the wrong format, or the configuration file has "
        + "an error.",
      .noInput: "There is no such file.",
      .unavailable: "No connector answered, or none may be asked: there is no connector, key, "
        + "service or budget. Or nothing is selected. The beginning of an answer that was cut off "
        + "is written.",
    ])

  var input = ActionInputOptions()
  @Option(
    "--connector", "-c", as: .text("CONNECTOR"),
    help: "A connector to ask instead of the action's. May be repeated.")
  var connectors: [String]
  @Option("--mode", as: .choice("MODE"), help: "The order in which connectors are asked.")
  var mode: ModeName?
  @Flag("--replace", help: "Insert the answer at the cursor.") var replaces
  @Flag("--copy", help: "Copy the answer to the clipboard.") var copies
  @Option("--by", as: .choice("METHOD"), help: "The method for --replace: type, or paste.")
  var method: DesktopText.Method?
  @Flag("--speak", "-s", help: "Speak the answer.") var speaks
  @Option(
    "--voice", "-v", as: .voice(in: .current),
    help: "The voice for --speak; one for the target language unless given.")
  var voiceName: BackendName?
  @Option(
    "--speech", as: .text("FILE", .output(.sound(orStandardOutput: true))),
    help: "Write the spoken answer to an audio file.")
  var speechPath: String?
  @Flag("--quiet", "-q", help: "Write only the answer.") var isQuiet
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws {
    guard !replaces || !copies else {
      throw UsageError("Give either --replace or --copy, not both.")
    }
    guard method == nil || !copies else { throw UsageError("--by applies only with --replace.") }
    guard voiceName == nil || speaks || speechPath != nil else {
      throw UsageError("--voice applies only with --speak or --speech.")
    }
  }

  /// The use of the answer besides writing it; `nil` if the action decides.
  private var delivery: ActionCommands.Delivery? { replaces ? .replace : copies ? .copy : nil }

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    let desktop = DesktopText()
    var (action, source) = try input.chosen(in: configuration.actions)
    // A wrong name is reported before a request is sent.
    let named = try connectors.map { try configuration.connector($0).id }
    if !named.isEmpty { action.routing.connectors = named }
    setMode(of: &action, isChosen: named.count > 1)
    let putsBack =
      delivery
      ?? (source == .selection
        && action.postProcessing.contains(.replaceOriginal) ? .replace : nil)
    // Colours only make sense on a screen.
    if !terminal.showsResults || isJSON || putsBack != nil || speaks {
      action.postProcessing = action.postProcessing.map {
        $0 == .ansi && putsBack == nil ? .plainText : $0
      }.filter { $0 != .ansi }
    }
    let text = try await input.input(from: source, for: action, desktop: desktop)
    // A missing voice is reported before a request is sent.
    let speech = speechPath.map { OutputPlace($0) }
    let voice = try await speaks || speech != nil ? voiceOfAnswer() : nil
    let speaker = speaks ? voice?.sentences(output: PortAudioSpeaker()) : nil
    let run = ActionRunner.user.run(action, on: text, connectors: configuration.connectors)
    let progress = try await withTaskCancellationHandler {
      try await follow(
        run, terminal, SpokenAnswer(action, connectors: configuration.connectors), speaker)
    } onCancel: {
      run.cancel()
      Task { await speaker?.stop() }
    }
    do {
      let answer = try await conclude(progress, action, terminal)
      switch putsBack {
      case .copy?: try await desktop.copy(answer.replacement)
      case .replace?: try await desktop.put(answer.replacement, by: method)
      case .speak?, nil: break
      }
      if let speech { try await voice?.write(answer.spoken, to: speech, on: terminal) }
      try await speaker?.finish()
    } catch {
      // The error is not drowned by speech.
      await speaker?.stop()
      throw error
    }
  }

  private func conclude(
    _ progress: RunProgress, _ action: TextAction, _ terminal: Terminal
  ) async throws -> ConnectorAnswer {
    try Task.checkCancellation()
    guard let outcome = progress.outcome else { throw CancellationError() }
    try await report(outcome, progress, isColoured: action.postProcessing.contains(.ansi), terminal)
    guard let answer = outcome.answer else {
      throw outcome.error ?? ActionError.noConnector("No connector answered. Try again.")
    }
    return answer
  }

  private func setMode(of action: inout TextAction, isChosen: Bool) {
    switch mode ?? (isChosen ? .parallel : nil) {
    case .sequential?: action.routing.mode = .sequential
    case .parallel?: action.routing.mode = .parallel
    case .firstSuccess?: action.routing.mode = .firstSuccess
    case .hedged?:
      if case .hedged = action.routing.mode { return }
      action.routing.mode = .hedged(after: .observed(otherwise: .seconds(1)))
    case nil: break
    }
  }

  /// Shows the progress of the run, and speaks the answer.
  @MainActor private func follow(
    _ run: ActionRun, _ terminal: Terminal, _ answer: SpokenAnswer, _ speaker: SentenceVoice?
  ) async throws -> RunProgress {
    var progress = RunProgress()
    var answer = answer
    var shown = ContinuousClock.now - .seconds(1)
    for await event in run.events {
      progress.take(event)
      if let speaker {
        for step in answer.take(event) {
          switch step {
          case .say(let words): speaker.add(words)
          case .takeBack: await speaker.startOver()
          }
        }
      }
      if isJSON {
        do {
          try await terminal.writeJSON(event.record)
        } catch {
          run.cancel()
          throw error
        }
      }
      // Updating the screen more often is not readable.
      let isText = if case .text = event { true } else { false }
      guard terminal.isInteractive, !isText || shown.duration(to: .now) > .milliseconds(60) else {
        continue
      }
      shown = .now
      let size = await terminal.size
      await terminal.showStatus(
        progress.lines(columns: size.columns - 1, rows: max(2, min(12, size.rows - 3))))
    }
    await terminal.showStatus([])
    return progress
  }

  private func report(
    _ outcome: RunOutcome, _ progress: RunProgress, isColoured: Bool, _ terminal: Terminal
  ) async throws {
    if !isJSON {
      let isWhole = !outcome.answers.isEmpty
      // Without an answer, the beginnings that were received are all there is.
      let texts =
        isWhole
        ? outcome.answers.map { ($0.connector, $0.text) }
        : progress.parts.filter { !$0.text.isEmpty }.map { ($0.connector, $0.text) }
      for (connector, text) in texts {
        if texts.count > 1 { try await terminal.writeLine("── \(connector)") }
        // A service may send control characters to control the terminal.
        let isSafe = isColoured || !terminal.showsResults
        try await terminal.writeLine(isSafe ? text : text.harmless(keeping: ["\n", "\t"]))
        if texts.count > 1 { try await terminal.writeLine("") }
        if !isWhole { await terminal.note("The answer of \(connector) was cut off.") }
      }
    }
    guard !isQuiet, !isJSON else { return }
    let summary = progress.summary
    if !summary.isEmpty { await terminal.note(summary) }
    if progress.parts.count > 1, let cost = outcome.cost {
      let total = RunProgress.cost(cost, isEstimated: outcome.isCostEstimated)
      await terminal.note("Total: \(outcome.latency.brief), \(total).")
    }
  }

  private func voiceOfAnswer() async throws -> AnyVoice {
    if let voiceName { return try await AnyVoice(voiceName, in: .current) }
    if let code = input.target?.code,
      let voice = try? await AnyVoice(
        try BackendName(voice: code.lowercased(), in: .current), in: .current)
    {
      return voice
    }
    return try await AnyVoice(.defaultVoice, in: .current)
  }
}
#endif
