import Foundation
import SpeechCore
import SpeechGrammar

/// Looks through everything that goes into a decoder, and only then lets the library have it.
struct PocketSphinxLoader {
  let model: PocketSphinxModel
  let configuration: PocketSphinxConfiguration

  /// A decoder with its vocabulary, without anything to listen for but dictation.
  func makeHandle() throws -> PocketSphinxHandle {
    let definition = try AcousticModelCheck.definition(of: model.acousticModel)
    let dictionary = try PronunciationDictionary(
      configuration.dictionary ?? model.dictionary, phones: Set(definition.phones))
    let handle = try PocketSphinxHandle(options: try options(dictionary))
    guard handle.phones(of: dictionary.probe) != nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "The dictionary “\(dictionary.url.path)” was not understood: PocketSphinx does not know its "
          + "word “\(dictionary.probe)”.")
    }
    try Vocabulary(phones: definition.spokenPhones).add(configuration.extraWords, to: handle)
    return handle
  }

  private func options(_ dictionary: PronunciationDictionary) throws -> [String] {
    var options = [
      "-hmm", model.acousticModel.path,
      "-dict", dictionary.url.path,
      // Cutting silence out would make word times wrong; finding speech is done before.
      "-remove_silence", "no",
    ]
    guard case .dictation = configuration.search else {
      // Closed searches hear noisy commands better without it. And a key phrase is told at once, not ten
      // frames later, which at the end of an utterance never come; see `KeyPhraseList.settlingFrames`.
      return options + ["-remove_noise", "no", "-kws_delay", "0"]
    }
    guard let language = configuration.languageModel ?? model.languageModel else {
      throw SpeechRecognitionError.recognitionFailed(
        "The model in “\(model.folder.path)” has no language model, so dictation is not possible. "
          + "Name one, or use a grammar.")
    }
    try LanguageModelFile.check(language)
    options += ["-lm", language.path]
    return options + configuration.preset.options
  }

  /// Gives the library what to listen for, once it was checked.
  func loadSearch(into handle: borrowing PocketSphinxHandle) throws -> LoadedSearch {
    switch configuration.search {
    case .dictation:
      return .dictation
    case .grammar(let text):
      try load(into: handle) { () throws(JSGFError) in try JSGFGrammar(text) }
      return .grammar
    case .grammarFile(let url):
      do {
        try load(into: handle) { () throws(JSGFError) in try JSGFGrammar(contentsOf: url) }
      } catch let SpeechRecognitionError.recognitionFailed(reason) {
        throw SpeechRecognitionError.recognitionFailed("“\(url.path)”: \(reason)")
      }
      return .grammar
    case .keyPhrases(let phrases):
      let list = try KeyPhraseList(phrases, knownTo: handle)
      let path = try list.write()
      defer { try? FileManager.default.removeItem(atPath: path) }
      try handle.use(keyPhraseFile: path)
      return .keyPhrases(list)
    }
  }

  private func load(
    into handle: borrowing PocketSphinxHandle, _ read: () throws(JSGFError) -> JSGFGrammar
  ) throws(SpeechRecognitionError) {
    let text: String
    do throws(JSGFError) {
      let grammar = try read()
      text = grammar.written(spellings: try grammar.spellings(knownTo: handle))
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
    try handle.use(grammar: text)
  }
}

extension JSGFGrammar {
  /// How the dictionary writes the grammar's words.
  ///
  /// - Throws: `JSGFError` with the words that it lacks.
  func spellings(
    knownTo handle: borrowing PocketSphinxHandle
  ) throws(JSGFError) -> [String: String] {
    let words = words
    let (known, unknown) = Vocabulary.spellings(of: words.lazy.map(\.text), in: handle)
    guard let first = unknown.first else { return known }
    throw JSGFError(
      .unknownWords(unknown), at: words.first { $0.text == first }?.position)
  }
}
