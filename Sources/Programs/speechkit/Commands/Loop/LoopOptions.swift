import Foundation
import SpeechKit

/// The options that say how a conversation is held, of those commands that hold one.
struct LoopOptions: Sendable {
  static let wake = ValueOption<KeyPhrase>(
    "wake", short: "w", value: "PHRASE",
    help: "Listen for commands only behind this phrase; may be given several times. As "
      + "`speechkit keyphrase calibrate` writes it, or plain."
  ) { text throws(UsageError) in
    do {
      return try KeyPhrase(line: text)
    } catch {
      throw UsageError("--wake: \(error.localizedDescription)")
    }
  }
  static let window = ValueOption<Double>(
    "window", value: "SECONDS", in: 0.5...600,
    help: "How long after the last word of either the phrase is not needed; 8 unless given.")
  static let noInterruptions = Flag(
    "no-interruptions", help: "Speak each reply to its end; only a stop word ends it.")
  static let interruptAfter = ValueOption<Double>(
    "interrupt-after", value: "SECONDS", in: 0...10,
    help: "How long somebody has to speak over a reply to hold it; 0.3 unless given.")
  static let early = Flag(
    "early", help: "Ask for a reply when the user pauses, and throw it away if they go on.")
  static let halfDuplex = Flag(
    "half-duplex", help: "Hear nothing while speaking, where echo cannot be taken out.")
  static let headset = Flag(
    "headset",
    help: "The loudspeaker cannot be heard in the microphone: nothing is to be taken out.")
  static let echoCancel = Flag(
    "echo-cancel", help: "Take our own voice out of the microphone; so it is unless told otherwise."
  )
  static let responder = ValueOption<ResponderName>(
    "responder", short: "r", value: "WHO",
    help: "Who replies: echo (unless given), local, openai[:MODEL], anthropic[:MODEL], socket:URL, "
      + "script:FILE (a reply per line), connector:NAME (see `speechkit connectors`), action:NAME on what is said, "
      + "or actions (commands over what is selected: “translate that to Spanish”).",
    hint: .choices(["echo", "local", "openai", "anthropic", "actions"])
  ) { text throws(UsageError) in try ResponderName(text) }
  static let system = ValueOption<String>(
    "system", value: "TEXT", help: "The rules for a model; short spoken answers unless given.")
  static let voice = BackendOptions.voice
  static let greeting = ValueOption<String>(
    "greeting", value: "TEXT", help: "What is said first.")

  static let to = ValueOption<String>(
    "to", value: "LANG",
    help: "The language that an action answers in; a voice of it speaks unless --voice is given.")

  static let declarations = [
    wake.declaration, window.declaration, RecognitionOptions.grammar.declaration,
    RecognitionOptions.accept.declaration, BackendOptions.recogniser.declaration,
    RecognitionOptions.model.declaration,
    RecognitionOptions.preset.declaration, RecognitionOptions.language.declaration,
    responder.declaration, to.declaration, system.declaration, voice.declaration,
    greeting.declaration,
    halfDuplex.declaration, noInterruptions.declaration, interruptAfter.declaration,
    early.declaration,
  ]

  private let arguments: ParsedArguments
  /// Who replies, as it was named; `nil` if it was not.
  let responder: ResponderName?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    responder = arguments[Self.responder]
    guard arguments[RecognitionOptions.model] == nil || arguments[RecognitionOptions.grammar] == nil
    else { throw UsageError("--model is for dictation: without --grammar.") }
    if arguments[Self.to] != nil {
      guard responder?.hasLanguage == true else {
        throw UsageError("--to goes with --responder action:NAME.")
      }
    }
  }

  /// The settings with what was given in place of what was there.
  ///
  /// - Throws: `CommandFailure`; `UsageError`.
  func applied(to settings: ConversationSettings) async throws -> ConversationSettings {
    var settings = settings
    let phrases = arguments.all(Self.wake)
    if !phrases.isEmpty { settings.wakePhrases = phrases }
    try applyRules(to: &settings.rules, wakingBy: phrases.map(\.text))
    if let path = arguments[RecognitionOptions.grammar] {
      settings.grammar = try await Self.grammarText(path)
      settings.languageModel = nil
    }
    if settings.grammar == nil, arguments[RecognitionOptions.model] == nil {
      settings.grammar = try await responder?.grammar()
    }
    if let acceptance = arguments[RecognitionOptions.accept] {
      guard settings.grammar != nil else {
        throw UsageError("--accept needs --grammar: dictation takes everything for words.")
      }
      settings.acceptance = acceptance
    }
    if let model = arguments[RecognitionOptions.model] {
      settings.languageModel = URL(filePath: model)
      settings.grammar = nil
    }
    if arguments[BackendOptions.recogniser] != nil || arguments[RecognitionOptions.preset] != nil {
      settings.recogniser = try BackendName(recogniserIn: arguments).text
    }
    if let language = arguments[RecognitionOptions.language] { settings.language = language }
    if let text = arguments[Self.system] { settings.systemPrompt = text }
    if let text = arguments[Self.greeting] { settings.greeting = text }
    return settings
  }

  /// The voice that was asked for, by its name or by the language of the answers; `nil` if none was.
  var voice: BackendName? {
    arguments[Self.voice]
      ?? arguments[Self.to].flatMap(ResponderName.languageCode).flatMap {
        try? BackendName(voice: $0.lowercased())
      }
  }

  /// The responder, or that one where none was named.
  ///
  /// - Throws: as `ResponderName.makeResponder` does.
  func makeResponder(
    otherwise name: ResponderName, for settings: ConversationSettings, clock: any DeviceClock
  ) async throws -> any Responder {
    try await (responder ?? name).makeResponder(
      systemPrompt: settings.systemPrompt, from: settings.language,
      to: arguments[Self.to], clock: clock)
  }

  private func applyRules(to rules: inout TurnRules, wakingBy phrases: [String]) throws {
    if !phrases.isEmpty {
      rules.attention = .wakeWord(phrases, window: .seconds(arguments[Self.window] ?? 8))
    } else if let window = arguments[Self.window] {
      guard case .wakeWord(let phrases, _) = rules.attention else {
        throw UsageError("--window goes with --wake.")
      }
      rules.attention = .wakeWord(phrases, window: .seconds(window))
    }
    if arguments[Self.halfDuplex] { rules.isHalfDuplex = true }
    if arguments[Self.noInterruptions] { rules.interruption.isAllowed = false }
    if let seconds = arguments[Self.interruptAfter] {
      rules.interruption.minimumSpeech = .seconds(seconds)
    }
    if arguments[Self.early] { rules.answersEarly = true }
  }

  /// The grammar in a file, whatever its form, as text that needs no other file.
  private static func grammarText(_ path: String) async throws -> String {
    let text = try await TextInput().read(path: path)
    let file = URL(fileURLWithPath: path)
    do {
      switch file.pathExtension {
      case "commands":
        return try CommandGrammar(template: text, file: file.lastPathComponent).jsgfText()
      case "jsgf", "gram":
        return try CommandGrammar(try JSGFGrammar(contentsOf: file)).jsgfText()
      default:
        do {
          return try CommandGrammar(try JSGFGrammar(text)).jsgfText()
        } catch let error as JSGFError {
          throw JSGFError(error.problem, at: error.position, in: file.lastPathComponent)
        }
      }
    } catch {
      // What is wrong with a grammar is told with the name of its file.
      throw CommandFailure(.badData, error.localizedDescription)
    }
  }
}
