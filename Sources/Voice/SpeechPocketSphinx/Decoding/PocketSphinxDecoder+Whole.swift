import SpeechAudio
import SpeechCore

// Complete utterances.

extension PocketSphinxDecoder {
  /// Recognises a complete utterance with its own cepstral mean: for a new decoder that makes a
  /// third fewer word errors than decoding it as it is spoken.
  package func decode(_ utterance: PCMBuffer) throws -> DecodedUtterance? {
    guard self.utterance == nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "An utterance is in progress. Finish or discard it before decoding another.")
    }
    try check(utterance.format)
    try learnWaitingWords()
    var pieces: [DecodedPiece] = []
    for range in cut.pieces(of: utterance.samples) {
      let piece = try decodeWhole(
        utterance.samples[range], offset: range.lowerBound, betweenBlocks: Task.checkCancellation)
      pieces.append(piece)
    }
    return joined(pieces)
  }

  func decodeWhole(
    _ samples: ArraySlice<Int16>, offset: Int, betweenBlocks: () throws -> Void = {}
  ) throws -> DecodedPiece {
    // Less than a window has no cepstra, and many such utterances upset the library.
    guard samples.count >= Cepstra.samplesPerWindow else { return DecodedPiece() }
    settle()
    let heard = try handle.cepstra(of: samples)
    // Digital silence has no mean; without one the library recognises words in it.
    guard let mean = heard.mean else { return DecodedPiece() }
    let cepstra: Cepstra
    if search.keyPhrases != nil {
      cepstra = normalized(heard, by: heard.loudMean ?? mean)
    } else if let lifted = QuietFloor.lifted(samples) {
      cepstra = try handle.normalized(try handle.cepstra(of: lifted[...]))
    } else {
      cepstra = try handle.normalized(heard)
    }
    handle.subtractKnownMean(false)
    try handle.start()
    do {
      for block in cepstra.blocks(of: LiveUtterance.block / Cepstra.samplesPerFrame) {
        try betweenBlocks()
        try handle.process(block)
      }
      try betweenBlocks()
    } catch {
      isBrokenOff = true
      throw error
    }
    try handle.end()
    return collect(
      offset: offset, isWeighed ? try features(of: cepstra) : nil, of: samples)
  }

  /// The cepstra without that mean, as `PocketSphinxHandle.normalized` returns them without their
  /// own.
  private func normalized(_ cepstra: Cepstra, by mean: CepstralMean) -> Cepstra {
    cepstra.frames(0..<cepstra.frameCount, without: mean).padded(by: handle.framesAround)
  }

  var isWeighed: Bool { isWeighing && scorer != nil }

  /// The features of normalised cepstra.
  func features(of cepstra: Cepstra) throws -> Features {
    handle.subtractKnownMean(false)
    return try handle.features(of: cepstra)
  }

  /// The library's result, scored on these features of the samples.
  func collect(
    offset: Int, _ features: Features?, of samples: ArraySlice<Int16>
  ) -> DecodedPiece {
    var evidence: AcceptanceEvidence?
    var phrases: [SpottedPhrase] = []
    if let list = search.keyPhrases {
      phrases = SpottedPhrase.best(
        of: findings(list).map { reading, segment in
          let confidence = keyPhraseCheck.confidence(
            of: segment, phones: reading.phones, in: features)
          return SpottedPhrase(reading: reading, segment: segment, confidence: confidence)
        }.filter(\.isBelieved))
    } else if case .grammar(let graph) = search, let scorer, let features {
      evidence = scorer.evidence(handle.segments, in: features, of: samples, grammar: graph) {
        handle.phones(of: $0)
      }
    }
    lastEvidence = evidence
    var piece = search.piece(
      from: handle, offset: seconds(offset), maximumAlternatives: maximumAlternatives,
      evidence: evidence, phrases: phrases)
    if acceptance != .off, piece.words.isEmpty, let scorer, let features {
      piece.isUnexplainedSpeech = scorer.hearsSpeech(in: features)
    }
    return piece
  }

  func joined(_ pieces: [DecodedPiece]) -> DecodedUtterance? {
    guard var decoded = DecodedPiece.joined(pieces, acceptance: acceptance) else { return nil }
    if search.keyPhrases != nil { decoded.keyPhrase = decoded.words[0] }
    return decoded
  }
}
