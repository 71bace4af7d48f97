import Foundation
import SpeechActions
import SpeechDesktop
import SpeechKit
import SpokenActions

/// `speechkit run`: does something with a text.
struct RunCommand: Command {
  static let declaration = CommandDeclaration(
    name: "run",
    summary: "Run an action on a text: translate, summarise, correct, …",
    discussion: [
      "The answer goes to standard output; on a terminal it is seen while it comes, those of several connectors "
        + "beside each other. On standard error a line per connector says what it took, how many tokens, what it cost, "
        + "or why it failed. Without ACTION the default is run.",
      "Several --connector are asked at once and all their answers count, unless --mode says otherwise. Ctrl-C calls "
        + "everything off: no request is sent after it.",
      "With --selection the text is what is selected on the desktop; --replace puts the answer in its place, typed if it "
        + "is short, otherwise pasted by way of the clipboard. It does so of its own for actions that are to replace "
        + "(--after replace), unless --copy is given. See `speechkit setup --hot-key`.",
      "With --speak the answer is said sentence by sentence while it comes: of several connectors that of whoever "
        + "begins, or, where all answers count, that of the first one. Ctrl-C ends the sound as well.",
      "With --json each step is an object on a line: “event” (started, text, finished, failed, cancelled, completed), "
        + "“connector”, and by event: “text”, “structured”, “latencyMilliseconds”, “firstTextMilliseconds”, "
        + "“inputTokens”, “outputTokens”, “cost”, “isCached”, “isCutOff” (finished), “error” (failed, completed), "
        + "“reason” (cancelled), “answers” (completed).",
    ],
    positionals: ActionInputOptions.positionals,
    options: ActionInputOptions.declarations + [
      connector.declaration, mode.declaration, replace.declaration, copy.declaration,
      method.declaration, speak.declaration, voice.declaration, speech.declaration,
      quiet.declaration, ActionsCommands.json.declaration,
    ],
    examples: [
      .init("speechkit run translate \"Guten Tag\" --to en", "Translate"),
      .init("git diff | speechkit run review-code -", "Have a change reviewed"),
      .init("speechkit run translate --selection --to es --replace", "For a hot key"),
      .init("speechkit run summarise -f long.txt -c fast -c good", "Two answers side by side"),
      .init("speechkit run translate hello --to de --speak", "Hear the answer"),
    ],
    exits: [
      (.success, "There is an answer, though not every connector may have given one."),
      (
        .badData,
        "The text is empty, the answer is not what was asked for, or the file has a fault."
      ),
      (.noInput, "There is no such file."),
      (
        .unavailable,
        "Nobody answered, or might be asked: no connector, key, service or money; or nothing is selected."
      ),
    ])

  static let connector = ValueOption<String>(
    "connector", short: "c", value: "CONNECTOR",
    help: "Ask this one instead of those of the action; may be given several times.")
  static let mode = ValueOption<ModeName>(
    "mode", value: "MODE", help: "How they are asked, instead of how the action says.")
  static let replace = Flag("replace", help: "Put the answer where the cursor is.")
  static let copy = Flag("copy", help: "Put the answer on the clipboard.")
  static let method = ValueOption<DesktopText.Method>(
    "by", value: "HOW", help: "With --replace: type, or paste.")
  static let speak = Flag("speak", short: "s", help: "Say the answer aloud.")
  static let voice = ValueOption<BackendName>(
    "voice", short: "v", value: "VOICE",
    help: "The voice that says it; one of the language of --to unless given."
  ) { text throws(UsageError) in try BackendName(voice: text) }
  static let speech = ValueOption<String>(
    "speech", value: "FILE", help: "Write what would be said to a sound file.",
    hint: .output(.sound(orStandardOutput: true)))
  static let quiet = Flag("quiet", short: "q", help: "Write the answer and nothing else.")

  private let options: ActionInputOptions
  private let connectors: [String]
  private let mode: ModeName?
  private let delivery: ActionCommands.Delivery?
  private let method: DesktopText.Method?
  private let speaks: Bool
  private let voice: BackendName?
  private let speech: OutputPlace?
  private let isQuiet: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    options = try ActionInputOptions(arguments)
    connectors = arguments.all(Self.connector)
    mode = arguments[Self.mode]
    guard !arguments[Self.replace] || !arguments[Self.copy] else {
      throw UsageError("Give either --replace or --copy, not both.")
    }
    delivery = arguments[Self.replace] ? .replace : arguments[Self.copy] ? .copy : nil
    method = arguments[Self.method]
    guard method == nil || !arguments[Self.copy] else {
      throw UsageError("--by goes with --replace.")
    }
    speaks = arguments[Self.speak]
    voice = arguments[Self.voice]
    speech = arguments[Self.speech].map { OutputPlace($0) }
    guard voice == nil || speaks || speech != nil else {
      throw UsageError("--voice goes with --speak or --speech.")
    }
    isQuiet = arguments[Self.quiet]
    isJSON = arguments[ActionsCommands.json]
  }

  func run(on terminal: Terminal) async throws {
    let configuration = try await FileConfigurationStore().load().configuration
    let desktop = DesktopText()
    var action = try configuration.actions.action(options.action)
    // A slip in a name is told before anything is asked.
    let named = try connectors.map { try configuration.connector($0).id }
    if !named.isEmpty { action.routing.connectors = named }
    setMode(of: &action, isChosen: named.count > 1)
    let putsBack =
      delivery
      ?? (options.source == .selection
        && action.postProcessing.contains(.replaceOriginal) ? .replace : nil)
    // Colours are for eyes only.
    if !terminal.showsResults || isJSON || putsBack != nil || speaks {
      action.postProcessing = action.postProcessing.map {
        $0 == .ansi && putsBack == nil ? .plainText : $0
      }.filter { $0 != .ansi }
    }
    let input = try await options.input(for: action, desktop: desktop)
    // A voice that is missing is told before anything is asked.
    let voice = try await speaks || speech != nil ? voiceOfAnswer() : nil
    let speaker = speaks ? voice?.sentences(output: PortAudioSpeaker()) : nil
    let run = ActionRunner.user.run(action, on: input, connectors: configuration.connectors)
    let course = try await withTaskCancellationHandler {
      try await follow(
        run, terminal, SpokenAnswer(action, connectors: configuration.connectors), speaker)
    } onCancel: {
      run.cancel()
      Task { await speaker?.stop() }
    }
    do {
      let answer = try await conclude(course, action, terminal)
      switch putsBack {
      case .copy?: try await desktop.copy(answer.replacement)
      case .replace?: try await desktop.put(answer.replacement, by: method)
      case .speak?, nil: break
      }
      if let speech { try await voice?.write(answer.spoken, to: speech, on: terminal) }
      try await speaker?.finish()
    } catch {
      // What went wrong is not talked over.
      await speaker?.stop()
      throw error
    }
  }

  /// Tells what came of the run.
  private func conclude(
    _ course: RunProgress, _ action: TextAction, _ terminal: Terminal
  ) async throws -> ConnectorAnswer {
    try Task.checkCancellation()
    guard let outcome = course.outcome else { throw CancellationError() }
    try await tell(outcome, course, isColoured: action.postProcessing.contains(.ansi), terminal)
    guard let answer = outcome.answer else {
      throw outcome.error ?? ActionError.noConnector("Nobody answered.")
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

  /// Shows the run while it goes on, and has said what of it is to be said.
  @MainActor private func follow(
    _ run: ActionRun, _ terminal: Terminal, _ answer: SpokenAnswer, _ speaker: SentenceVoice?
  ) async throws -> RunProgress {
    var course = RunProgress()
    var answer = answer
    var shown = ContinuousClock.now - .seconds(1)
    for await event in run.events {
      course.take(event)
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
          try await terminal.writeJSON(RunEventRecord(event))
        } catch {
          run.cancel()
          throw error
        }
      }
      // More often nobody can read.
      let isText = if case .text = event { true } else { false }
      guard terminal.isInteractive, !isText || shown.duration(to: .now) > .milliseconds(60) else {
        continue
      }
      shown = .now
      let size = await terminal.size
      await terminal.showStatus(
        course.lines(columns: size.columns - 1, rows: max(2, min(12, size.rows - 3))))
    }
    await terminal.showStatus([])
    return course
  }

  private func tell(
    _ outcome: RunOutcome, _ course: RunProgress, isColoured: Bool, _ terminal: Terminal
  ) async throws {
    if !isJSON {
      for answer in outcome.answers {
        if outcome.answers.count > 1 { try await terminal.writeLine("── \(answer.connector)") }
        let isSafe = isColoured || !terminal.showsResults
        try await terminal.writeLine(isSafe ? answer.text : Self.harmless(answer.text))
        if outcome.answers.count > 1 { try await terminal.writeLine("") }
      }
    }
    guard !isQuiet, !isJSON else { return }
    let summary = course.summary
    if !summary.isEmpty { await terminal.note(summary) }
    if course.parts.count > 1, let cost = outcome.cost {
      await terminal.note("All of it: \(outcome.latency.brief), \(RunProgress.cost(cost)).")
    }
  }

  /// Answers of services may hold what steers a terminal.
  private static func harmless(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
          .map { String($0).harmless }.joined(separator: "\t")
      }
      .joined(separator: "\n")
  }

  private func voiceOfAnswer() async throws -> AnyVoice {
    if let voice { return try await AnyVoice(voice) }
    if let code = options.target?.code,
      let voice = try? await AnyVoice(try BackendName(voice: code.lowercased()))
    {
      return voice
    }
    return try await AnyVoice(.defaultVoice)
  }
}
