import Foundation
import SpeechKit

/// The options of all commands that recognise speech.
struct RecognitionOptions: Sendable {
  static let grammar = ValueOption<String>(
    "grammar", short: "g", value: "FILE",
    help: "Understand only what this grammar allows, JSGF or .commands; far surer than dictation.",
    hint: .input)
  static let model = ValueOption<String>(
    "model", short: "m", value: "DIR",
    help: "Dictate with a model of your own, as `speechkit model build` makes it.", hint: .input)
  static let preset = ValueOption<PocketSphinxPreset>(
    "preset", value: "PRESET", help: "How much work goes into an utterance; balanced unless given.")
  static let language = ValueOption<String>(
    "language", short: "l", value: "TAG", help: "The language; en-US unless given.")

  static let accept = ValueOption<PocketSphinxAcceptance>(
    "accept", short: "a", value: "CONFIDENCE",
    help:
      "Reject what is less sure to be in the grammar: a number from 0 to 1, recommended, or off. The default "
      + "is off, and recommended behind a key phrase.",
    hint: .choices(["recommended", "off"])
  ) { text throws(UsageError) in
    switch text {
    case "recommended": return .recommended
    case "off": return .off
    default:
      guard let number = Float(text), (0...1).contains(number) else {
        throw UsageError(
          "--accept takes “recommended”, “off” or a number from 0 to 1, not “\(text)”")
      }
      return .atLeast(number)
    }
  }

  static let keyPhrase = ValueOption<KeyPhrase>(
    "keyphrase", short: "k", value: "PHRASE",
    help:
      "Listen for this phrase only, or for the command behind it (--grammar, --dictate); may be given several "
      + "times. As `speechkit keyphrase calibrate` writes it, or plain."
  ) { text throws(UsageError) in
    do {
      return try KeyPhrase(line: text)
    } catch {
      throw UsageError("--keyphrase: \(error.localizedDescription)")
    }
  }
  static let dictate = Flag("dictate", help: "Take dictation of what is said behind a key phrase.")
  static let window = ValueOption<Double>(
    "window", value: "SECONDS", in: 0.1...600,
    help: "How long after a key phrase a command may begin; 5 unless given.")

  static let declarations = [
    grammar.declaration, accept.declaration, keyPhrase.declaration, dictate.declaration,
    window.declaration, BackendOptions.recogniser.declaration, model.declaration,
    preset.declaration, language.declaration,
  ]

  let locale: Locale
  private let grammar: String?
  private let acceptance: PocketSphinxAcceptance
  private let model: String?
  private let keyPhrases: [KeyPhrase]
  private let isDictated: Bool
  private let window: Double
  private let recogniserName: BackendName

  /// Whether utterances can be rejected.
  var rejects: Bool { acceptance != .off }

  /// Whether a command is recognised behind a key phrase.
  var hasWakeWord: Bool { !keyPhrases.isEmpty && (grammar != nil || isDictated) }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    grammar = arguments[Self.grammar]
    model = arguments[Self.model]
    recogniserName = try BackendName(recogniserIn: arguments)
    locale = Locale(identifier: arguments[Self.language] ?? "en-US")
    keyPhrases = arguments.all(Self.keyPhrase)
    isDictated = arguments[Self.dictate]
    window = arguments[Self.window] ?? 5
    // Behind a phrase nearly everything is none of the grammar: its last sound, breath, the room.
    let usual: PocketSphinxAcceptance =
      grammar != nil && !keyPhrases.isEmpty ? .recommended : .off
    acceptance = arguments[Self.accept] ?? usual
    guard acceptance == .off || grammar != nil else {
      throw UsageError("--accept needs --grammar: dictation takes everything for words.")
    }
    guard model == nil || (grammar == nil && (keyPhrases.isEmpty || isDictated)) else {
      throw UsageError(
        "--model is for dictation: without --grammar, and with --keyphrase and --dictate or neither."
      )
    }
    guard !isDictated || grammar == nil else {
      throw UsageError("Give either --grammar or --dictate.")
    }
    guard !isDictated || !keyPhrases.isEmpty else {
      throw UsageError("--dictate goes with --keyphrase; without one, dictation is taken anyway.")
    }
    guard arguments[Self.window] == nil || hasWakeWord else {
      throw UsageError("--window goes with --keyphrase and with --grammar or --dictate.")
    }
  }

  /// Creates the recogniser, with the files and keys that it needs looked at first, so that each has
  /// its own exit status.
  ///
  /// - Parameter reportsPartials: true if words are wanted while they are spoken.
  /// - Throws: `CommandFailure`; `SpeechCatalogError` if the recogniser does not support an option.
  func recogniser(reportsPartials: Bool = true) async throws -> AnyRecogniser {
    var settings = RecogniserSettings(
      minimumConfidence: acceptance.minimumConfidence,
      languageModel: model.map { URL(filePath: $0) })
    settings.reportsPartials = reportsPartials
    settings.search = try await search()
    let catalog = SpeechCatalog.current
    let recogniser = try catalog.recogniser(
      recogniserName, settings: settings,
      wakingBy: hasWakeWord ? keyPhrases.map(\.description) : [],
      window: .seconds(window))
    try await recogniser.check(settings, locale: locale)
    return recogniser
  }

  private func search() async throws -> RecogniserSettings.Search {
    guard let grammar else {
      return keyPhrases.isEmpty || isDictated
        ? .dictation : .keyPhrases(keyPhrases.map(\.description))
    }
    let text = try await TextInput().read(path: grammar)
    let file = URL(fileURLWithPath: grammar)
    do {
      switch file.pathExtension {
      case "commands":
        return .grammar(
          try CommandGrammar(template: text, file: file.lastPathComponent).jsgfText())
      case "jsgf", "gram":
        // As a file, because it may import others.
        _ = try JSGFGrammar(contentsOf: file)
        return .grammarFile(file)
      default:
        do {
          _ = try JSGFGrammar(text)
        } catch {
          throw JSGFError(error.problem, at: error.position, in: file.lastPathComponent)
        }
        return .grammar(text)
      }
    } catch {
      // What is wrong with a grammar is told with the name of its file.
      throw CommandFailure(.badData, error.localizedDescription)
    }
  }
}

extension BackendName {
  /// The recogniser that `--recogniser` and `--preset` choose together.
  ///
  /// - Throws: `UsageError` when they contradict each other.
  init(recogniserIn arguments: ParsedArguments) throws(UsageError) {
    try self.init(
      arguments[BackendOptions.recogniser], preset: arguments[RecognitionOptions.preset])
  }
}

extension AnyRecogniser {
  /// Looks at the models and keys that the recogniser needs.
  ///
  /// - Throws: `CommandFailure`; `AICredentialError`.
  func check(_ settings: RecogniserSettings, locale: Locale) async throws {
    do {
      try await entry.checkAccess(settings, locale: locale)
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
  }
}

extension PocketSphinxAcceptance {
  /// The confidence from which on a sentence is accepted; `nil` accepts all.
  var minimumConfidence: Float? {
    if case .atLeast(let confidence) = self { confidence } else { nil }
  }
}
