import SpeechCore
import SpeechText

extension PocketSphinxDecoder {
  /// Returns the expected pronunciations of the word, and their origins.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source of pronunciations fails.
  public func explain(_ word: String) throws -> WordExplanation {
    try words.explanation(of: word, isSupplied: derived[word] != nil) { word in
      (known(word) + (waitingWords[word] ?? [])).filter { derived[word]?.contains($0) != true }
    }
  }

  /// The pronunciations of a word in the library and in the dictionary, of which the library has no
  /// more than the words of a grammar or key phrases.
  private func known(_ word: String) -> [[String]] {
    let loaded = handle.pronunciations(of: word)
    guard search.isClosed, DictionaryWord.isValid(word) else { return loaded }
    let written = dictionary.pronunciations(of: word)
    return written + loaded.filter { !written.contains($0) }
  }

  /// Adds a word, or further pronunciations of a known one: to dictation with an average
  /// likelihood, to a grammar or key phrases as another pronunciation of one of their words. It is
  /// recognised from the next utterance on.
  ///
  /// - Parameter pronunciations: the phones of each; derived from the word if empty.
  /// - Returns: the pronunciations that are recognised from now on.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if it cannot be a word, the model lacks a
  ///   phone, or no pronunciation is known.
  @discardableResult
  public func add(
    _ word: String, pronunciations: [[String]] = []
  ) throws -> WordExplanation {
    var new = pronunciations
    var isDerived = false
    if new.isEmpty {
      let explanation = try explain(word)
      new = explanation.pronunciations.map(\.phones)
      isDerived = explanation.pronunciations.allSatisfy {
        $0.origin == .derived || $0.origin == .spelling
      }
      // The dictionary may contain it in small letters.
      if !isDerived, !known(word).isEmpty { return explanation }
      guard !new.isEmpty else { throw WordSupply.nothingKnown(of: word) }
    }
    for phones in new { try words.vocabulary.check(word, phones) }
    if isDerived { derived[word] = new }
    for phones in new where !(waitingWords[word]?.contains(phones) ?? false) {
      waitingWords[word, default: []].append(phones)
    }
    return try explain(word)
  }

  /// Gives the library the words that were added since the last utterance.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the search cannot be built again.
  func learnWaitingWords() throws(SpeechRecognitionError) {
    guard !waitingWords.isEmpty else { return }
    let new = waitingWords
    // Words that cannot be added are reported once, and the next utterance is recognised without.
    waitingWords = [:]
    settle()
    switch search {
    case .dictation(var model):
      try words.vocabulary.add(new, to: handle, isInUse: false)
      try model.use(adding: new.keys, in: handle)
      search = .dictation(model)
    case .grammar(let graph):
      // A grammar takes further pronunciations of its words only when it is loaded.
      try words.vocabulary.add(new, to: handle, isInUse: false)
      try handle.use(grammar: graph)
    case .keyPhrases:
      try words.vocabulary.add(new, to: handle, isInUse: true)
    }
  }
}
