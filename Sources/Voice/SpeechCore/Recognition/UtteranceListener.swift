import Foundation
import SpeechAudio

/// Decodes the utterances that the segmenter finds in one capture.
struct UtteranceListener<Decoder: SpeechDecoder> {
  private struct Utterance {
    let id = UUID()
    var start: TimeInterval
    var audio: PCMBuffer
    var partial = DecoderOutput()
    /// The time since which it is quiet.
    var quietSince: TimeInterval?
    /// The time from which on the audio is not recognised yet.
    var understoodUntil = -TimeInterval.infinity

    var end: TimeInterval { start + audio.duration.inSeconds }
    var lastVoice: TimeInterval { quietSince ?? end }
  }

  private let pipeline: UtterancePipeline<Decoder>
  private let emit: @Sendable (HearingEvent) async -> Void
  private let format: AudioFormat
  private var segmenter: SpeechSegmenter
  /// The first frame of the segmenter's current stream, counted in heard frames.
  private var streamStart = 0
  /// The frames that the segmenter did not receive, because they were lost or muted.
  private var missedFrames = 0
  private var heardFrames = 0
  private var utterance: Utterance?
  /// The audio after a key phrase, until it is certain that it contains speech.
  private var remainder: Utterance?
  /// The end of the last utterance.
  private var lastEnd: TimeInterval = 0

  init(
    pipeline: UtterancePipeline<Decoder>, segmenter: SpeechSegmenter,
    emit: @escaping @Sendable (HearingEvent) async -> Void
  ) {
    self.pipeline = pipeline
    self.segmenter = segmenter
    self.emit = emit
    format = segmenter.format
  }

  /// The time in seconds up to which the audio has been handled.
  var time: TimeInterval { seconds(heardFrames + missedFrames) }

  mutating func hear(_ buffer: PCMBuffer) async throws {
    guard !buffer.isEmpty else { return }
    heardFrames += buffer.frameCount
    for event in segmenter.process(buffer) { try await follow(event) }
  }

  /// Treats lost audio as silence, as far as that matters for the end of an utterance, and as time.
  mutating func miss(_ frames: Int) async throws {
    let pause = format.frames(in: pipeline.segmenter.maximumSilence + .milliseconds(100))
    let silent = min(frames, pause)
    try await hear(.silence(format.duration(ofFrames: silent), format: format))
    missedFrames += frames - silent
  }

  /// Advances the time by muted audio, and discards the utterance in progress.
  mutating func skip(_ buffer: PCMBuffer) async throws {
    _ = segmenter.finish()
    streamStart = heardFrames
    missedFrames += buffer.frameCount
    remainder = nil
    guard let utterance else { return }
    self.utterance = nil
    await emit(.speechStopped(utterance.id, lastVoice: utterance.lastVoice))
    try await pipeline.session.hear(.discard)
    await emit(.speechEnded(utterance.id, at: utterance.end))
  }

  mutating func finish() async throws {
    for event in segmenter.finish() { try await follow(event) }
    streamStart = heardFrames
  }

  private mutating func follow(_ event: SpeechSegmenterEvent) async throws {
    switch event {
    case .speechStarted(let frame, let preRoll):
      try await start(at: frame)
      try await decode(preRoll)
    case .speech(let audio):
      try await decode(audio)
    case .speechEnded:
      try await end()
    case .pauseStarted(let frame):
      let second = seconds(streamStart + frame + missedFrames)
      remainder?.quietSince = second
      guard let id = utterance?.id else { return }
      utterance?.quietSince = second
      try await tellPause(true)
      await emit(.speechPaused(id, at: second))
    case .speechResumed(let frame):
      remainder?.quietSince = nil
      guard let id = utterance?.id else { return }
      utterance?.quietSince = nil
      try await tellPause(false)
      await emit(.speechResumed(id, at: seconds(streamStart + frame + missedFrames)))
    }
  }

  private func tellPause(_ isPaused: Bool) async throws {
    if pipeline.manner == .live { try await pipeline.session.hear(.paused(isPaused)) }
  }

  /// Sets the silence that ends the utterance from its words so far.
  private mutating func applyEndRule(to text: String) {
    segmenter.endingSilence = pipeline.control.endRule?.silence(after: text)
  }

  private mutating func start(at frame: Int) async throws {
    let time = seconds(streamStart + frame + missedFrames)
    if time > lastEnd { try await pipeline.session.hear(.silence(.seconds(time - lastEnd))) }
    try await start(Utterance(start: time, audio: PCMBuffer(format: format)))
  }

  private mutating func start(_ utterance: Utterance) async throws {
    self.utterance = utterance
    applyEndRule(to: "")
    await emit(.speechStarted(utterance.id, at: utterance.start))
    if let isExpected = pipeline.control.takeKeyPhraseOrder() {
      try await pipeline.session.hear(.keyPhraseExpected(isExpected))
    }
    if let context = pipeline.control.takeContext() {
      try await pipeline.session.hear(.context(context))
    }
    if pipeline.manner == .live { try await pipeline.session.hear(.start) }
  }

  private mutating func decode(_ audio: PCMBuffer) async throws {
    guard pipeline.manner == .live else {
      utterance?.audio.append(audio)
      return
    }
    var waiting = audio
    while let next = try await utteranceAudio(waiting), try await hearLive(next), let utterance {
      // The decoder has heard what it waited for, a key phrase, and continues in the audio after
      // it.
      self.utterance = nil
      remainder = try await recognize(utterance)
      applyEndRule(to: "")
      waiting = PCMBuffer(format: format)
    }
  }

  /// The audio that belongs to the utterance in progress. The remainder of the last one becomes an
  /// utterance when it contains speech.
  private mutating func utteranceAudio(_ audio: PCMBuffer) async throws -> PCMBuffer? {
    guard var rest = remainder else { return utterance == nil ? nil : audio }
    rest.audio.append(audio)
    guard hasVoice(rest) else {
      remainder = rest
      return nil
    }
    remainder = nil
    let all = rest.audio
    rest.audio = PCMBuffer(format: format)
    try await start(rest)
    return all
  }

  /// A Boolean value that indicates whether the audio after the recognised part contains as much
  /// voice as an utterance has to begin with. A closed grammar takes even the silence after a key
  /// phrase for one of its sentences. Room noise and breath count as voice here; rejecting them is
  /// up to the decoder.
  private func hasVoice(_ rest: Utterance) -> Bool {
    // The segmenter has not reported a pause that has just begun.
    let unsure = min(pipeline.segmenter.minimumSilence, pipeline.segmenter.trailingPadding)
    let lastVoice = rest.quietSince ?? rest.end - unsure.inSeconds
    return !rest.audio.isEmpty
      && lastVoice - max(rest.start, rest.understoodUntil)
        >= pipeline.segmenter.minimumSpeech.inSeconds
  }

  /// - Returns: true if the decoder has heard all that it waits for.
  private mutating func hearLive(_ audio: PCMBuffer) async throws -> Bool {
    guard var utterance else { return false }
    self.utterance = nil
    let output = try await pipeline.session.hear(.audio(audio))
    utterance.audio.append(audio)
    if let text = output.partialText, output != utterance.partial {
      utterance.partial = output
      applyEndRule(to: text)
      await emit(.result(Self.partial(text, output.stableText, of: utterance.id)))
    }
    self.utterance = utterance
    return output.isComplete
  }

  private mutating func end() async throws {
    // The length of the silence in the remainder is known now.
    if remainder != nil { try await decode(PCMBuffer(format: format)) }
    while let utterance {
      self.utterance = nil
      let rest = try await recognize(utterance)
      if pipeline.manner == .live {
        remainder = rest
        try await decode(PCMBuffer(format: format))
      } else if hasVoice(rest) {
        try await start(rest)
      }
    }
    remainder = nil
  }

  /// Ends an utterance and reports its text.
  ///
  /// - Returns: the beginning of the next utterance, whose audio may be empty.
  private mutating func recognize(_ utterance: Utterance) async throws -> Utterance {
    await emit(.speechStopped(utterance.id, lastVoice: utterance.lastVoice))
    let decoded =
      switch pipeline.manner {
      case .live:
        try await pipeline.session.hear(.finish) { [emit] text in
          await emit(.result(Self.partial(text, of: utterance.id)))
        }.utterance
      case .complete: try await pipeline.session.decode(utterance.audio)
      }
    var (own, rest) = split(utterance, at: decoded?.remainder)
    if let phrase = decoded?.keyPhrase { rest.understoodUntil = utterance.start + phrase.end }
    if let decoded {
      let result = SpeechRecognitionResult(decoded, utteranceID: own.id, start: own.start)
      if decoded.isAccepted {
        await emit(.result(result))
      } else {
        await emit(
          .rejected(
            RejectedUtterance(
              audio: own.audio, start: own.start, nearest: result, cascade: pipeline.cascade,
              failure: decoded.failure)))
      }
    }
    await emit(.speechEnded(own.id, at: own.end))
    lastEnd = own.end
    return rest
  }

  /// Splits the utterance at that time. The first part has at least one sample, so that repeated
  /// splits come to an end.
  private func split(
    _ utterance: Utterance, at remainder: TimeInterval?
  ) -> (own: Utterance, rest: Utterance) {
    let all = utterance.audio.frameCount
    let frame = remainder.map { format.frames(in: .seconds(min(max($0, 0), 1e6))) } ?? all
    let cut = min(max(frame, 1), all)
    var own = utterance
    own.audio = utterance.audio.slice(0..<cut)
    var rest = Utterance(start: own.end, audio: utterance.audio.slice(cut..<all))
    rest.quietSince = utterance.quietSince
    return (own, rest)
  }

  private static func partial(
    _ text: String, _ stable: String = "", of id: UUID
  ) -> SpeechRecognitionResult {
    SpeechRecognitionResult(
      text: text, isFinal: false, confidence: 0, utteranceID: id,
      stableText: stable.isEmpty ? nil : stable)
  }

  private func seconds(_ frames: Int) -> TimeInterval {
    Double(frames) / Double(format.sampleRate)
  }
}
