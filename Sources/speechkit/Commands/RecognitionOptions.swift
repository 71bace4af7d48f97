import Foundation
import SpeechKit

/// The options of all commands that recognise speech.
struct RecognitionOptions: Sendable {
  static let grammar = ValueOption<String>(
    "grammar", short: "g", value: "FILE",
    help: "Understand only what this grammar allows, JSGF or .commands; far surer than dictation.",
    hint: .files)
  static let model = ValueOption<String>(
    "model", short: "m", value: "DIR",
    help: "Dictate with a model of your own, as `speechkit model build` makes it.", hint: .files)
  static let preset = ValueOption<PocketSphinxPreset>(
    "preset", value: "PRESET", help: "How much work goes into an utterance; balanced unless given.")
  static let language = ValueOption<String>(
    "language", short: "l", value: "TAG", help: "The language; en-US unless given.")

  static let accept = ValueOption<PocketSphinxAcceptance>(
    "accept", short: "a", value: "CONFIDENCE",
    help:
      "Reject what is less sure to be in the grammar: a number from 0 to 1, recommended, or off, "
      + "which is the default.",
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

  static let declarations = [
    grammar.declaration, accept.declaration, model.declaration, preset.declaration,
    language.declaration,
  ]

  let locale: Locale
  private let grammar: String?
  private let acceptance: PocketSphinxAcceptance
  private let model: String?
  private let keyPhrases: [String]
  private let preset: PocketSphinxPreset

  /// Whether utterances can be rejected.
  var rejects: Bool { acceptance != .off }

  init(_ arguments: ParsedArguments, keyPhrases: [String] = []) throws(UsageError) {
    grammar = arguments[Self.grammar]
    model = arguments[Self.model]
    preset = arguments[Self.preset] ?? .balanced
    locale = Locale(identifier: arguments[Self.language] ?? "en-US")
    self.keyPhrases = keyPhrases
    acceptance = arguments[Self.accept] ?? .off
    guard grammar == nil || keyPhrases.isEmpty else {
      throw UsageError("Give either --grammar or --keyphrase.")
    }
    guard acceptance == .off || grammar != nil else {
      throw UsageError("--accept needs --grammar: dictation takes everything for words.")
    }
    guard model == nil || (grammar == nil && keyPhrases.isEmpty) else {
      throw UsageError("--model is for dictation, without --grammar and --keyphrase.")
    }
  }

  /// What the decoder is to know, with the files looked at, so that each has its own exit status.
  ///
  /// - Throws: `CommandFailure`.
  func configuration() async throws -> PocketSphinxConfiguration {
    do {
      let model = try PocketSphinxModel.find(for: locale)
      if model.languageModel == nil, grammar == nil, keyPhrases.isEmpty, self.model == nil {
        throw CommandFailure(
          .unavailable,
          "The model in “\(model.folder.path)” has no language model. Pass --grammar, or put a file that "
            + "ends in .lm.bin there.")
      }
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
    var configuration = PocketSphinxConfiguration(
      search: try await search(), preset: preset, acceptance: acceptance
    )
    .withStandardPronunciations
    if let model { configuration.use(try LanguageModelFolder(URL(filePath: model))) }
    return configuration
  }

  private func search() async throws -> PocketSphinxSearch {
    guard let grammar else {
      return keyPhrases.isEmpty ? .dictation : .keyPhrases(keyPhrases.map { KeyPhrase($0) })
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
