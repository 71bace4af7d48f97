import Foundation
import SpeechCore
import SpeechGrammar
import SpeechLanguageModels
import SpeechText

/// Checks all inputs of a decoder before the library gets them.
struct PocketSphinxLoader {
  let model: PocketSphinxModel
  let configuration: PocketSphinxConfiguration
  /// The pronunciations from other sources than the model.
  let words: WordSupply
  /// The derived pronunciations of the words of the search.
  private(set) var derived: [String: [[String]]] = [:]
  let dictionary: PronunciationDictionary

  init(
    model: PocketSphinxModel, configuration: PocketSphinxConfiguration, locale: Locale
  ) throws {
    try Self.reserve(for: model, configuration).check()
    let definition = try AcousticModelCheck.definition(of: model.acousticModel)
    dictionary = try PronunciationDictionary(
      configuration.dictionary ?? model.dictionary, phones: Set(definition.phones))
    self.model = model
    self.configuration = configuration
    words = try WordSupply(
      vocabulary: Vocabulary(phones: definition.spokenPhones), configuration: configuration,
      locale: locale)
  }

  /// The multiples are those of the library's own tables, and of the copies that checks make.
  private static func reserve(
    for model: PocketSphinxModel, _ configuration: PocketSphinxConfiguration
  ) -> MemoryReserve {
    var reserve = MemoryReserve()
    reserve.add(model.acousticModel, times: 3)
    guard configuration.isDictation else { return reserve }
    reserve.add(configuration.dictionary ?? model.dictionary, times: 16)
    if let language = configuration.languageModel ?? model.languageModel {
      reserve.add(language, times: 2)
    }
    return reserve
  }

  private var isDictation: Bool { configuration.isDictation }

  /// Creates a decoder without a search; with its dictionary for dictation.
  func makeHandle() throws -> PocketSphinxHandle {
    let handle = try PocketSphinxHandle(options: options)
    guard isDictation else { return handle }
    guard handle.phones(of: dictionary.probe) != nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "PocketSphinx could not read the dictionary “\(dictionary.url.path)”: it does not know its "
          + "word “\(dictionary.probe)”.")
    }
    return handle
  }

  private var options: [String] {
    let options = [
      "-hmm", model.acousticModel.path,
      // Removing silence would make word times wrong; the segmenter finds speech before.
      "-remove_silence", "no",
    ]
    guard isDictation else {
      // Closed searches recognise noisy commands better without it. A key phrase is reported at
      // once, not ten frames later, which never come at the end of an utterance; see
      // `KeyPhraseList.settlingFrames`.
      return options + ["-remove_noise", "no", "-kws_delay", "0"]
    }
    return options + ["-dict", dictionary.url.path] + configuration.preset.options
  }

  /// The language model, after a check.
  private func languageModel() throws -> URL {
    guard let language = configuration.languageModel ?? model.languageModel else {
      throw SpeechRecognitionError.recognitionFailed(
        "The model in “\(model.folder.path)” has no language model, so dictation is not possible. "
          + "Name one, or use a grammar.")
    }
    try LanguageModelCheck.check(language)
    return language
  }

  /// All words have to be in the dictionary before the language model is read: the library silently
  /// leaves out words that are not, and damages its entries when they are added later.
  private mutating func loadLanguageModel(
    into handle: borrowing PocketSphinxHandle
  ) throws -> DictationModel {
    let language = try languageModel()
    let own = words.own
    try words.vocabulary.add(own, to: handle, isInUse: false)
    // A model's own dictionary was made for its own language model.
    if configuration.languageModel != nil {
      let known = LanguageModelFile.words(of: language) ?? []
      derived = try words.supply(
        known.filter { $0.first.map { !"<[+(".contains($0) } ?? false }, to: handle
      ) { handle.pronunciations(of: $0) }
    }
    var dictation = DictationModel(language)
    try dictation.use(adding: own.keys, in: handle)
    return dictation
  }

  /// Checks the search and loads it into the library.
  mutating func loadSearch(into handle: borrowing PocketSphinxHandle) throws -> LoadedSearch {
    switch configuration.search {
    case .dictation:
      return .dictation(try loadLanguageModel(into: handle))
    case .grammar(let text):
      return .grammar(
        try load(into: handle) { () throws(JSGFError) in try JSGFGrammar(text) })
    case .grammarFile(let url):
      return .grammar(
        try load(file: url, into: handle) { () throws(JSGFError) in
          try JSGFGrammar(contentsOf: url)
        })
    case .keyPhrases(let phrases):
      let spoken = phrases.flatMap {
        $0.text.split(whereSeparator: \.isWhitespace).map(String.init)
      }
      derived = try load(spoken, into: handle)
      let list = try KeyPhraseList(phrases, knownTo: handle)
      let file = try list.write()
      try handle.use(keyPhraseFile: file.path)
      return .keyPhrases(list)
    }
  }

  /// Gives the library the words of a grammar or key phrases. The whole dictionary would take it
  /// 25 megabytes and most of the time that a short command takes.
  ///
  /// - Returns: the pronunciations that were derived, because the dictionary lacks the word.
  private func load(
    _ spoken: [String], into handle: borrowing PocketSphinxHandle
  ) throws(SpeechRecognitionError) -> [String: [[String]]] {
    let known = Set(spoken + words.extra.keys).filter(DictionaryWord.isValid)
    for entry in try dictionary.entries(of: known.union(known.map { $0.lowercased() })) {
      try handle.add(
        word: entry.name, phones: entry.phones.joined(separator: " "), isLast: false)
    }
    try words.vocabulary.add(words.extra, to: handle, isInUse: false)
    // A missing word is derived from others, which may be known.
    var lookups = 0
    var table: DictionaryFile?
    return try words.supply(spoken, to: handle) { word in
      lookups += 1
      if lookups == Self.mostSingleLookups { table = try? DictionaryFile(dictionary.url).indexed() }
      let found = table?.pronunciations(of: word) ?? dictionary.pronunciations(of: word)
      return found + handle.pronunciations(of: word).filter { !found.contains($0) }
    }
  }

  /// The number of lookups after which a table of all words takes less time.
  private static let mostSingleLookups = 40

  /// - Parameter file: the file of the grammar, for error messages.
  /// - Returns: the grammar in the library.
  private mutating func load(
    file: URL? = nil, into handle: borrowing PocketSphinxHandle,
    _ read: () throws(JSGFError) -> JSGFGrammar
  ) throws(SpeechRecognitionError) -> WordGraph {
    do {
      let grammar = try read()
      derived = try load(grammar.words, into: handle)
      let graph = try grammar.wordGraph()
        .spelled(as: try grammar.spellings(knownTo: handle))
      try handle.use(grammar: graph)
      return graph
    } catch var error as JSGFError {
      error.file = error.file ?? file?.lastPathComponent
      throw .recognitionFailed(error.localizedDescription)
    } catch SpeechRecognitionError.outOfMemory {
      throw .outOfMemory
    } catch SpeechRecognitionError.recognitionFailed(let reason) {
      throw .recognitionFailed((file.map { "“\($0.path)”: " } ?? "") + reason)
    } catch {
      throw .recognitionFailed(error.localizedDescription)
    }
  }
}

extension PocketSphinxConfiguration {
  fileprivate var isDictation: Bool {
    if case .dictation = search { true } else { false }
  }
}

extension JSGFGrammar {
  /// The spellings of the grammar's words in the dictionary.
  ///
  /// - Throws: `JSGFError` with the words that it lacks.
  func spellings(
    knownTo handle: borrowing PocketSphinxHandle
  ) throws(JSGFError) -> [String: String] {
    let (known, unknown) = Vocabulary.spellings(of: words, in: handle)
    guard let first = unknown.first else { return known }
    for rule in rules {
      guard let place = rule.words.first(where: { $0.text == first }) else { continue }
      throw JSGFError(.unknownWords(unknown), at: place.position, in: rule.file)
    }
    throw JSGFError(.unknownWords(unknown))
  }
}
