import SpeechAudio
import SpeechCore

// Utterances that are decoded as they are spoken.

extension PocketSphinxDecoder {
  /// Begins an utterance.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if one is in progress.
  package func startUtterance() throws {
    guard utterance == nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "An utterance is in progress. Finish or discard it before starting another.")
    }
    try learnWaitingWords()
    utterance = LiveUtterance()
  }

  /// Decodes the next stretch of the utterance.
  package func process(_ audio: PCMBuffer) throws -> DecoderOutput {
    guard var live = utterance else { throw noUtterance }
    try check(audio.format)
    // Moved out while it changes, so that its samples are not copied; and gone if the library
    // fails.
    utterance = nil
    do {
      let output = try hear(audio.samples, in: &live)
      utterance = live
      return output
    } catch {
      close(live)
      throw error
    }
  }

  /// Ends the utterance; `nil` if there were no words in it.
  package func finishUtterance() throws -> DecodedUtterance? {
    guard var live = utterance else { throw noUtterance }
    utterance = nil
    do {
      if !live.isOpen { try open(&live) }
      try feed(&live, upTo: live.waiting.count)
      try finishPiece(&live)
      var decoded = joined(live.pieces)
      // The audio after the phrase may begin another utterance.
      if let phrases = decoded?.words, search.keyPhrases != nil {
        decoded?.remainder = phrases.last?.end
      }
      return decoded
    } catch {
      close(live)
      throw error
    }
  }

  /// Ends the utterance without a result. Does nothing if none is in progress.
  package func discardUtterance() {
    if let live = utterance { close(live) }
    utterance = nil
  }

  private var noUtterance: SpeechRecognitionError {
    .recognitionFailed("No utterance is in progress. Start one first.")
  }

  private func close(_ live: LiveUtterance) {
    if live.isOpen { isBrokenOff = true }
  }

  private func hear(_ samples: [Int16], in live: inout LiveUtterance) throws -> DecoderOutput {
    live.waiting += samples
    if !live.isOpen {
      if lastMean == nil, live.waiting.count < LiveUtterance.measured { return DecoderOutput() }
      try open(&live)
    }
    let blocks = live.waiting.count / LiveUtterance.block
    guard blocks > 0 else { return DecoderOutput() }
    return try feed(&live, upTo: blocks * LiveUtterance.block)
  }

  /// Begins a piece with the mean of the last audio, or of the audio that waits to be decoded.
  private func open(_ live: inout LiveUtterance) throws {
    settle()
    if search.keyPhrases != nil {
      let mean = try lastMean ?? handle.cepstra(of: live.waiting[...]).loudMean
      handle.subtractKnownMean(false)
      try handle.start()
      live.phraseStream = KeyPhraseStream(width: handle.meanLength, lastMean: mean)
      live.isOpen = true
      return
    }
    handle.subtractKnownMean(true)
    let typical = CepstralMean.typical(count: handle.meanLength)
    if let lastMean {
      handle.set(mean: lastMean, remembered: lastMean.weighing(CepstralMean.carriedFrames))
    } else if let measured = try handle.cepstra(of: live.waiting[...]).mean {
      let mean = typical.weighing(CepstralMean.typicalFrames).mixed(with: measured)
      handle.set(mean: mean, remembered: mean.weighing(CepstralMean.measuredFrames))
    } else {
      handle.set(mean: typical, remembered: typical.weighing(CepstralMean.typicalFrames))
    }
    try handle.start()
    live.isOpen = true
  }

  /// Decodes the waiting samples in blocks of one size, so that the result does not depend on the
  /// size of the inputs.
  @discardableResult
  private func feed(_ live: inout LiveUtterance, upTo count: Int) throws -> DecoderOutput {
    var start = 0
    while start < count {
      let block = live.waiting[start..<min(start + LiveUtterance.block, count)]
      if search.keyPhrases == nil {
        try handle.process(block)
      } else if let cepstra = try live.phraseStream?.hear(block, with: handle) {
        try handle.process(cepstra.values[...])
      }
      live.count(block, keeping: search.isClosed)
      if search.keyPhrases == nil, live.length >= LiveUtterance.measured { handle.updateMean() }
      start = block.endIndex
      if cut.isDue(length: live.length, quietBlocks: live.quietBlocks) {
        try finishPiece(&live)
        try open(&live)
      }
    }
    live.waiting.removeFirst(count)
    return try update(&live)
  }

  private func update(_ live: inout LiveUtterance) throws -> DecoderOutput {
    if let list = search.keyPhrases { try spot(list, in: &live) }
    let piece =
      search.keyPhrases == nil
      ? search.partialText(of: handle)
      : live.phrases.map(\.reading.text).joined(separator: " ")
    let text = (live.pieces.map(\.text) + [piece]).filter { !$0.isEmpty }.joined(separator: " ")
    let isComplete = search.keyPhrases != nil && !text.isEmpty
    guard text != live.partialText else { return DecoderOutput(isComplete: isComplete) }
    live.partialText = text
    return DecoderOutput(partialText: text, isComplete: isComplete)
  }

  private func finishPiece(_ live: inout LiveUtterance) throws {
    if let list = search.keyPhrases {
      if let rest = try live.phraseStream?.finish(with: handle), rest.frameCount > 0 {
        try handle.process(rest.values[...])
      }
      try spot(list, in: &live, isOver: true)
    }
    live.isOpen = false
    try handle.end()
    if let mean = live.phraseStream?.mean {
      if live.length >= LiveUtterance.measured { lastMean = mean }
    } else if live.length >= LiveUtterance.measured {
      lastMean = CepstralMean(values: handle.mean, frames: CepstralMean.carriedFrames)
    }
    if search.keyPhrases != nil,
      !live.phrases.isEmpty || live.length > LiveUtterance.longestRespotted
    {
      live.pieces.append(
        search.piece(
          from: handle, offset: seconds(live.start), maximumAlternatives: 0, evidence: nil,
          phrases: live.phrases))
    } else if search.isClosed, live.length <= LiveUtterance.longestTwice {
      // With a grammar, decoding all of it again costs next to nothing, and its own mean corrects
      // digits, noisy commands and phrases.
      live.pieces.append(try decodeWhole(live.piece[...], offset: live.start))
    } else {
      var features: Features?
      if isWeighed, live.length >= Cepstra.samplesPerWindow {
        let heard = try handle.cepstra(of: live.piece[...])
        features = try self.features(of: try handle.normalized(heard))
      }
      live.pieces.append(collect(offset: live.start, features, of: live.piece[...]))
    }
    live.nextPiece()
  }
}
