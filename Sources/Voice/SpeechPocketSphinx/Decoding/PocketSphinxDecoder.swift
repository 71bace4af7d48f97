import Foundation
import SpeechAudio
import SpeechCore

/// Recognises speech with PocketSphinx: dictation, the sentences of a grammar, or key phrases.
///
/// One decoder hears one thing at a time and blocks while it thinks; different decoders may work in
/// different threads. An utterance longer than a minute is heard in pieces. Between the utterances of
/// one decoder the cepstral mean is kept; the first one is measured before it is decoded.
/// ```swift
/// let decoder = try PocketSphinxDecoder(
///   configuration: PocketSphinxConfiguration(), locale: Locale(identifier: "en_US"))
/// let utterance = try await decoder.hear(.utterance(buffer)).utterance
/// ```
public final class PocketSphinxDecoder: SpeechDecoder, ExtensibleVocabulary {
  /// `com.speechkit.pocketsphinx`.
  public static let identifier = "com.speechkit.pocketsphinx"

  /// Whether a model for English is installed, the one language of the distribution.
  public static var isAvailable: Bool {
    (try? PocketSphinxModel.find(for: Locale(identifier: "en_US"))) != nil
  }

  /// 16 kHz.
  public let format = AudioFormat.recognition

  /// The model that it decodes with.
  public let model: PocketSphinxModel

  private let handle: PocketSphinxHandle
  private let words: WordSupply
  private let search: LoadedSearch
  /// For grammars and key phrases; `nil` if the acoustic model is of a form that cannot be read here.
  private let scorer: AcceptanceScorer?
  private let acceptance: PocketSphinxAcceptance
  /// What spoke for and against the last sentence of a grammar: what the confidence is fitted on.
  package private(set) var lastEvidence: AcceptanceEvidence?
  /// Whether sentences of a grammar are weighed; what that costs is measured without it.
  package var isWeighing = true
  private let maximumAlternatives: Int
  private let cut: UtteranceCut
  private var utterance: LiveUtterance?
  /// Whether the library is still in the midst of an utterance that nobody wants any more: to end it
  /// can take a second, which is left to the next one.
  private var isBrokenOff = false
  /// What was made up for words that the dictionary lacks.
  private var made: [String: [[String]]]
  /// What was added in the midst of an utterance: the library does not bear it before the end.
  private var waitingWords: [String: [[String]]] = [:]
  /// The mean of what was heard last; `nil` before the first utterance.
  private var lastMean: CepstralMean?

  /// A decoder with the model of that language.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the model, the dictionary, the grammar or
  ///   a key phrase is missing or wrong; the text says what, and what to do.
  public convenience init(configuration: PocketSphinxConfiguration, locale: Locale) throws {
    try self.init(configuration: configuration, locale: locale, cut: .standard)
  }

  init(configuration: PocketSphinxConfiguration, locale: Locale, cut: UtteranceCut) throws {
    model = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    maximumAlternatives = min(max(configuration.maximumAlternatives, 0), 100)
    self.cut = cut
    var loader = try PocketSphinxLoader(
      model: model, configuration: configuration, locale: locale)
    words = loader.words
    handle = try loader.makeHandle()
    search = try loader.loadSearch(into: handle)
    made = loader.made
    scorer = search.isClosed ? try? AcceptanceScorer(folder: model.acousticModel) : nil
    acceptance = search.isGrammar ? configuration.acceptance : .off
  }

  // MARK: - Inputs

  /// Handles one input, and blocks while it decodes.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the input is out of order, the audio has
  ///   another format than `format`, or the library fails; `CancellationError` during a complete
  ///   utterance, within the time that a tenth of a second of audio takes, if the task is cancelled.
  public nonisolated(nonsending) func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) async throws -> DecoderOutput {
    switch input {
    case .start: try startUtterance()
    case .audio(let audio): return try process(audio)
    case .finish: return DecoderOutput(utterance: try finishUtterance())
    case .discard: discardUtterance()
    case .utterance(let audio): return DecoderOutput(utterance: try decode(audio))
    case .silence, .keyPhraseExpected: break
    }
    return DecoderOutput()
  }

  // MARK: - An utterance that is being spoken

  /// Begins an utterance.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if one is under way.
  package func startUtterance() throws {
    guard utterance == nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "An utterance is under way. Finish or discard it before starting another.")
    }
    learnWaitingWords()
    utterance = LiveUtterance()
  }

  /// Hears the next stretch of the utterance. Partial texts come at most ten times a second.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if no utterance was started or the sound has
  ///   another format than `format`; the utterance is over if the library fails.
  package func process(_ audio: PCMBuffer) throws -> DecoderOutput {
    guard var live = utterance else { throw noUtterance }
    try check(audio.format)
    // Taken out while it changes, so that its samples are not copied; and gone if the library fails.
    utterance = nil
    do {
      let update = try hear(audio.samples, in: &live)
      utterance = live
      return update
    } catch {
      close(live)
      throw error
    }
  }

  /// Ends the utterance; `nil` if there were no words in it.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if no utterance was started or the library
  ///   fails.
  package func finishUtterance() throws -> DecodedUtterance? {
    guard var live = utterance else { throw noUtterance }
    utterance = nil
    do {
      if !live.isOpen { try open(&live) }
      try feed(&live, upTo: live.waiting.count)
      try finishPiece(&live)
      var decoded = joined(live.pieces)
      // What follows the phrase may begin another one.
      if let phrases = decoded?.words, search.keyPhrases != nil {
        decoded?.remainder = phrases.last?.end
      }
      return decoded
    } catch {
      close(live)
      throw error
    }
  }

  /// Ends the utterance without a result; nothing happens if there is none.
  package func discardUtterance() {
    if let live = utterance { close(live) }
    utterance = nil
  }

  // MARK: - A whole utterance

  /// Recognises an utterance that is there as a whole, under its own cepstral mean: on a fresh decoder
  /// that makes a third fewer word errors than hearing it bit by bit.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if an utterance is under way, the sound has
  ///   another format than `format` or the library fails; `CancellationError`, within the time that a
  ///   tenth of a second of sound takes, if the task is cancelled.
  package func decode(_ utterance: PCMBuffer) throws -> DecodedUtterance? {
    guard self.utterance == nil else {
      throw SpeechRecognitionError.recognitionFailed(
        "An utterance is under way. Finish or discard it before decoding another.")
    }
    try check(utterance.format)
    learnWaitingWords()
    var pieces: [DecodedPiece] = []
    for range in cut.pieces(of: utterance.samples) {
      let piece = try decodeWhole(
        utterance.samples[range], offset: range.lowerBound, betweenBlocks: Task.checkCancellation)
      pieces.append(piece)
    }
    return joined(pieces)
  }

  // MARK: - Words

  /// How the word is expected to be said, and why.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the source of pronunciations fails.
  public func explain(_ word: String) throws -> WordExplanation {
    try words.explanation(of: word, isSupplied: made[word] != nil) { word in
      (handle.pronunciations(of: word) + (waitingWords[word] ?? [])).filter {
        made[word]?.contains($0) != true
      }
    }
  }

  /// Adds a word, or pronunciations to one that is there: to dictation with a middling likelihood, to a
  /// grammar or key phrases as another way of saying a word of theirs. In the midst of an utterance it
  /// counts from the next one on.
  ///
  /// - Parameter pronunciations: the phones of each; those that are thought of for the word if empty.
  /// - Returns: what is listened for from now on.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if it cannot be a word, the model lacks a phone,
  ///   or nothing is known of how it is said.
  @discardableResult
  public func add(
    _ word: String, pronunciations: [[String]] = []
  ) throws -> WordExplanation {
    var new = pronunciations
    if new.isEmpty {
      let explanation = try explain(word)
      new = explanation.pronunciations.map(\.phones)
      let isMadeUp = explanation.pronunciations.allSatisfy {
        $0.origin == .derived || $0.origin == .spelling
      }
      // The dictionary may have it in small letters.
      if !isMadeUp, handle.phones(of: word) != nil { return explanation }
      guard !new.isEmpty else { throw WordSupply.nothingKnown(of: word) }
      for phones in new { try words.vocabulary.check(word, phones) }
      if isMadeUp { made[word] = new }
    }
    for phones in new { try words.vocabulary.check(word, phones) }
    for phones in new where !(waitingWords[word]?.contains(phones) ?? false) {
      waitingWords[word, default: []].append(phones)
    }
    if utterance == nil { learnWaitingWords() }
    return try explain(word)
  }

  private func learnWaitingWords() {
    guard !waitingWords.isEmpty else { return }
    settle()
    // They were looked through, so that the library takes them; and a search that it could not build again
    // is told by the next utterance.
    switch search {
    case .grammar(let written):
      // Other ways of saying its words are part of a grammar from its beginning only.
      try? words.vocabulary.add(waitingWords, to: handle, isInUse: false)
      try? handle.use(grammar: written)
    case .dictation, .keyPhrases:
      try? words.vocabulary.add(waitingWords, to: handle, isInUse: true)
    }
    waitingWords = [:]
  }

  // MARK: - Inside

  private var noUtterance: SpeechRecognitionError {
    .recognitionFailed("No utterance is under way. Start one first.")
  }

  private func check(_ other: AudioFormat) throws {
    guard other == format else {
      throw SpeechRecognitionError.recognitionFailed(
        "The sound has \(other.sampleRate) samples a second and the decoder hears "
          + "\(format.sampleRate). Resample it first.")
    }
  }

  private func close(_ live: LiveUtterance) {
    if live.isOpen { isBrokenOff = true }
  }

  /// Leaves the library between utterances, whatever happened before.
  private func settle() {
    if isBrokenOff { try? handle.end() }
    isBrokenOff = false
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

  /// Begins a piece, under the mean of what was heard before or of what waits to be heard.
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
    let usual = CepstralMean.usual(count: handle.meanLength)
    if let lastMean {
      handle.set(mean: lastMean, remembered: lastMean.weighing(CepstralMean.carriedFrames))
    } else if let measured = try handle.cepstra(of: live.waiting[...]).mean {
      let mean = usual.weighing(CepstralMean.usualFrames).mixed(with: measured)
      handle.set(mean: mean, remembered: mean.weighing(CepstralMean.measuredFrames))
    } else {
      handle.set(mean: usual, remembered: usual.weighing(CepstralMean.usualFrames))
    }
    try handle.start()
    live.isOpen = true
  }

  /// Decodes what waits, in blocks of one size: so the result does not depend on how it came.
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
      // With a grammar, decoding the whole again costs next to nothing, and its own mean gets digits, noisy
      // commands and phrases right that are missed otherwise.
      live.pieces.append(try decodeWhole(live.piece[...], offset: live.start))
    } else {
      var features: Features?
      if isWeighed, live.length >= LiveUtterance.shortest {
        let heard = try handle.cepstra(of: live.piece[...])
        features = try self.features(of: try handle.normalized(heard))
      }
      live.pieces.append(collect(offset: live.start, features, of: live.piece[...]))
    }
    live.nextPiece()
  }

  private func decodeWhole(
    _ samples: ArraySlice<Int16>, offset: Int, betweenBlocks: () throws -> Void = {}
  ) throws -> DecodedPiece {
    // Less than a frame has no cepstra, and many such utterances upset the library.
    guard samples.count >= LiveUtterance.shortest else { return DecodedPiece() }
    settle()
    let heard = try handle.cepstra(of: samples)
    // Nothing but zeros has no mean; without one the library takes it for words.
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

  /// The cepstra without that mean, as `PocketSphinxHandle.normalized` makes them without their own.
  private func normalized(_ cepstra: Cepstra, by mean: CepstralMean) -> Cepstra {
    cepstra.frames(0..<cepstra.frameCount, without: mean).padded(by: handle.framesAround)
  }

  private var isWeighed: Bool { isWeighing && scorer != nil }

  /// What the acoustic model scores of these cepstra, which were normalised.
  private func features(of cepstra: Cepstra) throws -> Features {
    handle.subtractKnownMean(false)
    return try handle.features(of: cepstra)
  }

  /// What the library found; for grammars with what it is worth on these features of the samples.
  private func collect(
    offset: Int, _ features: Features?, of samples: ArraySlice<Int16>
  ) -> DecodedPiece {
    var evidence: AcceptanceEvidence?
    var phrases: [SpottedPhrase] = []
    if let list = search.keyPhrases {
      phrases = SpottedPhrase.best(
        of: findings(list).map { reading, segment in
          let confidence = check.confidence(of: segment, phones: reading.phones, in: features)
          return SpottedPhrase(reading: reading, segment: segment, confidence: confidence)
        }.filter(\.isBelieved))
    } else if let scorer, let features {
      evidence = scorer.evidence(handle.segments, in: features, of: samples) {
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

  private func joined(_ pieces: [DecodedPiece]) -> DecodedUtterance? {
    guard var decoded = DecodedPiece.joined(pieces, acceptance: acceptance) else { return nil }
    if search.keyPhrases != nil { decoded.keyPhrase = decoded.words[0] }
    return decoded
  }

  private func seconds(_ samples: Int) -> Double { Double(samples) / Double(format.sampleRate) }
}

// MARK: - Key phrases

extension PocketSphinxDecoder {
  private var check: KeyPhraseCheck { KeyPhraseCheck(scorer: isWeighing ? scorer : nil) }

  /// What the library takes for key phrases.
  private func findings(
    _ list: KeyPhraseList
  ) -> [(reading: KeyPhraseList.Reading, segment: PathSegment)] {
    handle.segments.compactMap { segment in
      let name = segment.word.split(separator: " ").joined(separator: " ")
      return list.readings[name].map { ($0, segment) }
    }
  }

  /// Looks a second time at what the library found by now and will not find better.
  ///
  /// - Parameter isOver: whether no more is coming, so that it cannot find better.
  private func spot(
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
        let confidence = check.confidence(
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

extension CepstralMean {
  /// What the mean of speech is like: the average of many speakers, rooms and microphones. They differ
  /// so much that it is little better than nothing.
  static func usual(count: Int) -> CepstralMean {
    let known: [Float] = [41, -1, -1, 5, -3, -4, -2, -5, 0, -3, 0, -1, 0]
    let padded = known.prefix(count) + Array(repeating: 0, count: max(count - known.count, 0))
    return CepstralMean(values: Array(padded), frames: usualFrames)
  }

  /// How much the average counts beside what was measured, in frames of a hundredth of a second.
  static let usualFrames = 20
  /// How much the measured mean counts beside the frames that follow.
  static let measuredFrames = 50
  /// How much the mean of the last utterance counts in the next one.
  static let carriedFrames = 150
}
