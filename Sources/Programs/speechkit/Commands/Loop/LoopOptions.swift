import SpeechCommand
import SpeechKit

#if Cloud
import SpokenActions
#endif

struct LoopOptions: OptionGroup {
  @Option(
    "--wake", "-w", as: .keyPhrase,
    help: "Listen for commands only after this phrase. May be repeated. In the form of `speechkit "
      + "keyphrase calibrate`, or plain.")
  var wakePhrases: [KeyPhrase]
  @Option(
    "--spotter", as: .recogniser(in: .current),
    help: "The recogniser that waits for the phrase, such as wyoming:localhost:10400 for "
      + "openWakeWord. Default: one on this machine.")
  var spotter: BackendName?
  @Option(
    "--window", as: .number("SECONDS", in: 0.5...600),
    help:
      "The time after the last word of either side in which the phrase is not needed. Default: 8.")
  var window: Double?
  @Option(
    "--grammar", "-g", as: .text("FILE", .input),
    help: "Recognise only sentences of this grammar (JSGF or .commands); far surer than dictation.")
  var grammar: String?
  @Option(
    "--accept", "-a", as: .acceptance,
    help:
      "The least confidence for a sentence of the grammar: a number from 0 to 1, recommended, or "
      + "off, which accepts any speech as one of them. Default: recommended.")
  var acceptance: PocketSphinxAcceptance?
  @Flag("--dictate", help: "With --grammar: take dictation of what the grammar rejects.")
  var isDictated
  var recognition = RecogniserOptions()
  @Option(
    "--model", "-m", as: .text("DIR", .input),
    help: "Dictate with a model of your own, made by `speechkit model build`.")
  var model: String?
  var check = CheckOptions()
  var language = LanguageOption()
  @Option(
    "--responder", "-r", as: .responder,
    help:
      "The responder: echo (the default), local, openai[:MODEL], anthropic[:MODEL], socket:URL, "
      + "script:FILE (a reply per line), connector:NAME (see `speechkit connectors`), action:NAME "
      + "on the user's words, or actions (commands on the selection: “translate that to Spanish”).")
  var responder: ResponderName?
  @Option(
    "--to", as: .text("LANG"),
    help: "The language in which an action answers; a voice of it speaks unless --voice is given.")
  var target: String?
  @Option("--system", as: .text("TEXT"), help: "The system prompt. Default: short spoken answers.")
  var system: String?
  @Option(
    "--voice", "-v", as: .voice(in: .current),
    help: "The voice that replies; “auto” follows each reply's language. See `speechkit voices`.")
  var voiceName: BackendName?
  @Option("--greeting", as: .text("TEXT"), help: "The words that begin the conversation.")
  var greeting: String?
  @Flag("--half-duplex", help: "Do not listen while speaking, if echo cannot be cancelled.")
  var isHalfDuplex
  @Flag("--no-interruptions", help: "Speak each reply to its end; only a stop word ends it.")
  var forbidsInterruptions
  @Option(
    "--interrupt-after", as: .number("SECONDS", in: 0...10),
    help: "How long the user has to speak over a reply to hold it. Default: 0.3.")
  var interruptAfter: Double?
  @Flag("--early", help: "Request a reply when the user pauses, and discard it if they resume.")
  var answersEarly

  func validate() throws {
    guard model == nil || grammar == nil else {
      throw UsageError("--model is for dictation: without --grammar.")
    }
    guard !isDictated || acceptance != .off else { throw Self.rejectsNothing }
    guard check.isOff || grammar == nil else { throw CheckOptions.needsDictation }
    guard target != nil else { return }
    guard responder?.hasLanguage == true else {
      throw UsageError("--to goes with --responder action:NAME.")
    }
  }

  private static let rejectsNothing = UsageError(
    "--dictate reads what the grammar rejects, and --accept off rejects nothing.")

  /// The settings, changed by the options that were given. An automatic choice of a recogniser is
  /// reported.
  func applied(
    to settings: ConversationSettings, on terminal: Terminal
  ) async throws -> ConversationSettings {
    var settings = settings
    if !wakePhrases.isEmpty { settings.wakePhrases = wakePhrases }
    try applyRules(to: &settings.rules, wakingBy: wakePhrases.map(\.text))
    if let spotter {
      guard case .wakeWord = settings.rules.attention else {
        throw UsageError("--spotter goes with --wake.")
      }
      settings.spotter = spotter.text
    }
    if let grammar {
      settings.grammar = try await GrammarFile(path: grammar).text()
      settings.languageModel = nil
    }
    if settings.grammar == nil, model == nil {
      settings.grammar = try await responder?.grammar()
    }
    if let acceptance {
      guard settings.grammar != nil else {
        throw UsageError("--accept needs --grammar: dictation accepts every word.")
      }
      settings.acceptance = acceptance
    }
    if let model {
      settings.languageModel = URL(filePath: model)
      settings.grammar = nil
    }
    settings.check = try await check.applied(to: settings.check)
    if settings.grammar != nil {
      guard check.isOff else { throw CheckOptions.needsDictation }
      settings.check = nil
    }
    if let language = language.language { settings.language = language }
    try await chooseRecognisers(for: &settings, on: terminal)
    if let system { settings.systemPrompt = system }
    if let greeting { settings.greeting = greeting }
    return settings
  }

  private func chooseRecognisers(
    for settings: inout ConversationSettings, on terminal: Terminal
  ) async throws {
    let catalog = SpeechCatalog.current
    let locale = Locale(identifier: settings.language)
    var chosen: (name: BackendName, isForRejected: Bool)?
    if let name = try recognition.given {
      settings.recogniser = name.text
    } else if settings.recogniser.isEmpty {
      let name = await catalog.automaticRecogniser(
        for: try settings.recogniserSettings(), locale: locale)
      settings.recogniser = name.text
      chosen = (name, false)
    }
    if isDictated {
      guard settings.grammar != nil else {
        throw UsageError("--dictate goes with --grammar; dictation is the default without one.")
      }
      guard settings.acceptance != .off else { throw Self.rejectsNothing }
      let name = await catalog.automaticRecogniser(locale: locale)
      settings.otherRecogniser = name.text
      chosen = (name, true)
    }
    if let chosen {
      await terminal.noteChoice(
        of: chosen.name, forRejected: chosen.isForRejected, in: catalog)
    }
  }

  /// The voice of --voice, or one for the language of --to; `nil` without either.
  var voice: BackendName? {
    #if Cloud
    if voiceName == nil, let code = target.flatMap({ LanguageName($0).code }) {
      return try? BackendName(voice: code.lowercased(), in: .current)
    }
    #endif
    return voiceName
  }

  /// Creates the responder that was named, or the default.
  func makeResponder(
    for settings: ConversationSettings, clock: any DeviceClock
  ) async throws -> any Responder {
    try await (responder ?? .echo).makeResponder(
      .init(
        systemPrompt: settings.systemPrompt, source: settings.language, target: target,
        clock: clock))
  }

  private func applyRules(to rules: inout TurnRules, wakingBy phrases: [String]) throws {
    if !phrases.isEmpty {
      rules.attention = .wakeWord(phrases, window: .seconds(window ?? 8))
    } else if let window {
      guard case .wakeWord(let phrases, _) = rules.attention else {
        throw UsageError("--window goes with --wake.")
      }
      rules.attention = .wakeWord(phrases, window: .seconds(window))
    }
    if isHalfDuplex { rules.isHalfDuplex = true }
    if forbidsInterruptions { rules.interruption.isAllowed = false }
    if let seconds = interruptAfter {
      rules.interruption.minimumSpeech = .seconds(seconds)
    }
    if answersEarly { rules.answersEarly = true }
  }
}

extension ValueFormat where Value == ResponderName {
  fileprivate static var responder: Self {
    Self("WHO", .choices(["echo", "local", "openai", "anthropic", "actions"])) {
      text, _ in try ResponderName.named(text)
    }
  }
}
