import SpeechCore

extension PocketSphinxDecoder {
  var keyPhraseCheck: KeyPhraseCheck { KeyPhraseCheck(scorer: isWeighing ? scorer : nil) }

  /// The key phrases that the library reports.
  func findings(
    _ list: KeyPhraseList
  ) -> [(reading: KeyPhraseList.Reading, segment: PathSegment)] {
    handle.segments.compactMap { segment in
      let name = segment.word.split(separator: " ").joined(separator: " ")
      return list.readings[name].map { ($0, segment) }
    }
  }

  /// Checks the findings of the library that will not improve any more.
  ///
  /// - Parameter isOver: true if no more audio follows, so that no finding can improve.
  func spot(
    _ list: KeyPhraseList, in live: inout LiveUtterance, isOver: Bool = false
  ) throws {
    guard var stream = live.phraseStream else { return }
    live.phraseStream = nil
    let settled = stream.cepstra.frameCount - (isOver ? 0 : KeyPhraseList.settlingFrames)
    var found: [SpottedPhrase] = []
    for (reading, segment) in findings(list) where segment.lastFrame < settled {
      let finding = KeyPhraseStream.Finding(
        word: segment.word, firstFrame: segment.firstFrame, lastFrame: segment.lastFrame)
      if stream.judged[finding] == nil, let around = stream.surroundings(of: finding) {
        var shifted = segment
        shifted.firstFrame -= around.first
        shifted.lastFrame -= around.first
        let confidence = keyPhraseCheck.confidence(
          of: shifted, phones: reading.phones, in: try handle.features(of: around.cepstra))
        stream.note(
          SpottedPhrase(reading: reading, segment: segment, confidence: confidence), for: finding)
      }
      if let judged = stream.judged[finding], judged.isBelieved { found.append(judged) }
    }
    live.phrases = SpottedPhrase.best(of: found)
    live.phraseStream = stream
  }
}
