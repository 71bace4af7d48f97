import Foundation
import SpeechKit

/// The options of all commands that recognise speech.
struct RecognitionOptions: Sendable {
  static let grammar = ValueOption<String>(
    "grammar", short: "g", value: "FILE",
    help: "Understand only what this grammar allows, JSGF or .commands; far surer than dictation.",
    hint: .files)
  static let preset = ValueOption<PocketSphinxPreset>(
    "preset", value: "PRESET", help: "How much work goes into an utterance; balanced unless given.")
  static let language = ValueOption<String>(
    "language", short: "l", value: "TAG", help: "The language; en-US unless given.")

  static let declarations = [
    grammar.declaration, preset.declaration, language.declaration,
  ]

  let locale: Locale
  private let grammar: String?
  private let keyPhrases: [String]
  private let preset: PocketSphinxPreset

  init(_ arguments: ParsedArguments, keyPhrases: [String] = []) throws(UsageError) {
    grammar = arguments[Self.grammar]
    preset = arguments[Self.preset] ?? .balanced
    locale = Locale(identifier: arguments[Self.language] ?? "en-US")
    self.keyPhrases = keyPhrases
    guard grammar == nil || keyPhrases.isEmpty else {
      throw UsageError("Give either --grammar or --keyphrase.")
    }
  }

  /// What the decoder is to know, with the files looked at, so that each has its own exit status.
  ///
  /// - Throws: `CommandFailure`.
  func configuration() async throws -> PocketSphinxConfiguration {
    do {
      let model = try PocketSphinxModel.find(for: locale)
      if model.languageModel == nil, grammar == nil, keyPhrases.isEmpty {
        throw CommandFailure(
          .unavailable,
          "The model in “\(model.folder.path)” has no language model. Pass --grammar, or put a file that "
            + "ends in .lm.bin there.")
      }
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
    return PocketSphinxConfiguration(search: try await search(), preset: preset)
      .withStandardPronunciations
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
