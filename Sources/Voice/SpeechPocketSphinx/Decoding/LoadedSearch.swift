import SpeechCore
import SpeechGrammar

/// The search that a decoder was configured with, which determines how the library's results are
/// read.
enum LoadedSearch {
  case dictation(DictationModel)
  /// A grammar in the form that the library has.
  case grammar(WordGraph)
  case keyPhrases(KeyPhraseList)

  var keyPhrases: KeyPhraseList? {
    if case .keyPhrases(let list) = self { return list }
    return nil
  }

  /// True if an utterance that was decoded as it was spoken is decoded again as a whole.
  var isClosed: Bool { isGrammar || keyPhrases != nil }

  var isGrammar: Bool {
    if case .grammar = self { return true }
    return false
  }

  func partialText(of handle: borrowing PocketSphinxHandle) -> String {
    guard let hypothesis = handle.hypothesis else { return "" }
    return PathSegment.plainText(hypothesis)
  }

  func piece(
    from handle: borrowing PocketSphinxHandle, offset: Double, maximumAlternatives: Int,
    evidence: AcceptanceEvidence?, phrases: [SpottedPhrase] = []
  ) -> DecodedPiece {
    switch self {
    case .dictation:
      let words = DecodedPiece.words(handle.segments, offset: offset) {
        Confidence.dictatedWord(posterior: $0.posterior)
      }
      guard !words.isEmpty else { return DecodedPiece() }
      let mean = words.reduce(0) { $0 + Double($1.confidence) } / Double(words.count)
      return finished(words, mean, handle, maximumAlternatives)
    case .grammar:
      let segments = handle.segments
      let spoken = segments.filter { $0.plainWord != nil }
      guard !spoken.isEmpty else { return DecodedPiece() }
      let confidence = GrammarConfidence(spoken, evidence: evidence)
      let words = DecodedPiece.words(segments, offset: offset) { confidence.word($0) }
      return finished(words, confidence.sentence, handle, maximumAlternatives)
    case .keyPhrases:
      let words = phrases.map { $0.word(offset: offset) }
      let best = words.map(\.confidence).max() ?? 0
      return DecodedPiece(words: words, confidence: Double(best))
    }
  }

  private func finished(
    _ words: [RecognizedWord], _ confidence: Double, _ handle: borrowing PocketSphinxHandle,
    _ maximumAlternatives: Int
  ) -> DecodedPiece {
    var piece = DecodedPiece(words: words, confidence: confidence)
    piece.alternatives = alternatives(handle, best: piece.text, limit: maximumAlternatives)
    return piece
  }

  /// The readings other than the best one, each once: the library distinguishes readings that
  /// differ in noises only.
  private func alternatives(
    _ handle: borrowing PocketSphinxHandle, best: String, limit: Int
  ) -> [RecognitionAlternative] {
    guard limit > 0 else { return [] }
    let readings = handle.alternatives(limit: min(limit * 8, 200)).map { reading in
      (text: PathSegment.plainText(reading.text), score: reading.score)
    }
    guard let top = readings.map(\.score).max() else { return [] }
    // The scores are those of whole paths; as for the library's posteriors, a twentieth of them
    // counts.
    var order: [String] = []
    var shares: [String: Double] = [:]
    for reading in readings {
      if shares[reading.text] == nil { order.append(reading.text) }
      let share = handle.probability(ofLog: (reading.score - top) / 20)
      shares[reading.text] = max(shares[reading.text] ?? 0, share)
    }
    if shares[best] == nil { shares[best] = 1 }
    let total = shares.values.reduce(0, +)
    return order.filter { $0 != best && !$0.isEmpty }.prefix(limit).map {
      RecognitionAlternative(text: $0, confidence: Float((shares[$0] ?? 0) / total))
    }
  }
}
