import Foundation
import SpeechAudio

/// The way from a capture to results: resampled once, cut into utterances, decoded.
///
/// The one home of this path; live listening and the transcription of files differ only in `manner`.
struct UtterancePipeline<Decoder: SpeechDecoder>: Sendable {
  enum Manner: Sendable {
    /// Decode while somebody speaks, with partial results.
    case live
    /// Decode each utterance when it is there as a whole.
    case complete
  }

  enum Event: Sendable {
    /// An utterance began, at that second.
    case utteranceStarted(UUID, at: TimeInterval)
    case result(SpeechRecognitionResult)
    /// Instead of a final result.
    case rejected(RejectedUtterance)
    /// It has been quiet since that second, for a moment.
    case utterancePaused(UUID, at: TimeInterval)
    /// The voice is back.
    case utteranceResumed(UUID, at: TimeInterval)
    /// Nothing more belongs to the utterance, in which the last voice was at that second.
    case utteranceStopped(UUID, lastVoice: TimeInterval)
    /// The utterance ended, at that second; a final result, if there was one, came before.
    case utteranceEnded(UUID, at: TimeInterval)
    /// All sound up to here, in seconds, has been dealt with.
    case heard(until: TimeInterval)
    case interrupted(AudioError)
    case resumed
  }

  let session: RecognitionSession<Decoder>
  let segmenter: SpeechSegmenterConfiguration
  let manner: Manner
  /// Who may be asked what was said in an utterance that is rejected.
  let cascade: RecognitionCascade
  /// Who may have a say in it while it runs.
  var control = ListeningControl()

  /// Follows the capture to its end, or until decoding fails.
  ///
  /// - Throws: `SpeechRecognitionError`, `AudioError`, and `CancellationError` when the task is
  ///   cancelled.
  func run(
    _ capture: any AudioCapture, emit: @Sendable (Event) async -> Void
  ) async throws {
    let format = try await session.prepare()
    var listener = UtteranceListener(
      pipeline: self, segmenter: SpeechSegmenter(format: format, configuration: segmenter))
    var resampler = try Resampler(from: capture.format, to: format)
    do {
      while let event = try await capture.read() {
        switch event {
        case .audio(let buffer):
          let heard = try resampler.process(buffer)
          if control.isMuted {
            await listener.skip(heard, emit: emit)
          } else {
            try await listener.hear(heard, emit: emit)
            if control.takeEnd() { try await listener.finish(emit: emit) }
          }
        case .gap(let frames):
          let lost = capture.format.duration(ofFrames: frames)
          try await listener.miss(format.frames(in: lost), emit: emit)
        case .interrupted(let error):
          try await listener.finish(emit: emit)
          await emit(.interrupted(error))
        case .resumed:
          await emit(.resumed)
        }
        try Task.checkCancellation()
      }
      try await listener.hear(resampler.finish(), emit: emit)
      try await listener.finish(emit: emit)
    } catch {
      await session.discardUtterance()
      throw error
    }
  }
}

/// Follows the segmenter's cuts through one capture.
private struct UtteranceListener<Decoder: SpeechDecoder> {
  private struct Utterance {
    let id = UUID()
    var start: TimeInterval
    var audio: PCMBuffer
    var partialText = ""
    /// The second since which it is quiet.
    var quietSince: TimeInterval?
    /// The second from which on nothing of it is understood yet.
    var understoodUntil = -TimeInterval.infinity

    var end: TimeInterval { start + audio.duration.inSeconds }
    var lastVoice: TimeInterval { quietSince ?? end }
  }

  let pipeline: UtterancePipeline<Decoder>
  private let format: AudioFormat
  private var segmenter: SpeechSegmenter
  /// Where the segmenter's current stream begins, in frames that were heard.
  private var streamStart = 0
  /// Frames that the segmenter did not see, because they were lost.
  private var missedFrames = 0
  private var heardFrames = 0
  private var utterance: Utterance?
  /// What followed a key phrase, as long as nobody is certain to speak in it.
  private var remainder: Utterance?
  /// Where the last utterance ended.
  private var lastEnd: TimeInterval = 0

  init(pipeline: UtterancePipeline<Decoder>, segmenter: SpeechSegmenter) {
    self.pipeline = pipeline
    self.segmenter = segmenter
    format = segmenter.format
  }

  mutating func hear(
    _ buffer: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    guard !buffer.isEmpty else { return }
    heardFrames += buffer.frameCount
    for event in segmenter.process(buffer) { try await follow(event, emit: emit) }
    await emit(.heard(until: seconds(heardFrames + missedFrames)))
  }

  /// Lost sound is taken as silence, as far as that matters for the end of an utterance, and as time.
  mutating func miss(
    _ frames: Int, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    let pause = format.frames(in: pipeline.segmenter.maximumSilence + .milliseconds(100))
    let silent = min(frames, pause)
    try await hear(
      .silence(format.duration(ofFrames: silent), format: format), emit: emit)
    missedFrames += frames - silent
  }

  /// Sound that is not to be heard is time and nothing else.
  mutating func skip(
    _ buffer: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async {
    _ = segmenter.finish()
    streamStart = heardFrames
    missedFrames += buffer.frameCount
    remainder = nil
    if let utterance {
      self.utterance = nil
      await emit(.utteranceStopped(utterance.id, lastVoice: utterance.lastVoice))
      await pipeline.session.discardUtterance()
      await emit(.utteranceEnded(utterance.id, at: utterance.end))
    }
    await emit(.heard(until: seconds(heardFrames + missedFrames)))
  }

  mutating func finish(
    emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    for event in segmenter.finish() { try await follow(event, emit: emit) }
    streamStart = heardFrames
  }

  private mutating func follow(
    _ event: SpeechSegmenterEvent,
    emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    switch event {
    case .speechStarted(let frame, let preRoll):
      try await start(at: frame, emit: emit)
      try await decode(preRoll, emit: emit)
    case .speech(let audio):
      try await decode(audio, emit: emit)
    case .speechEnded:
      try await end(emit: emit)
    case .pauseStarted(let frame):
      let second = seconds(streamStart + frame + missedFrames)
      remainder?.quietSince = second
      guard let id = utterance?.id else { return }
      utterance?.quietSince = second
      await emit(.utterancePaused(id, at: second))
    case .speechResumed(let frame):
      remainder?.quietSince = nil
      guard let id = utterance?.id else { return }
      utterance?.quietSince = nil
      await emit(.utteranceResumed(id, at: seconds(streamStart + frame + missedFrames)))
    }
  }

  /// Has the end of the utterance depend on what is understood of it.
  private mutating func applyEndRule(to text: String) {
    segmenter.endingSilence = pipeline.control.endRule?.silence(after: text)
  }

  private mutating func start(
    at frame: Int, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    let time = seconds(streamStart + frame + missedFrames)
    if time > lastEnd { try await pipeline.session.passSilence(.seconds(time - lastEnd)) }
    try await start(Utterance(start: time, audio: PCMBuffer(format: format)), emit: emit)
  }

  private mutating func start(
    _ utterance: Utterance, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    self.utterance = utterance
    applyEndRule(to: "")
    await emit(.utteranceStarted(utterance.id, at: utterance.start))
    if let isExpected = pipeline.control.takeKeyPhraseOrder() {
      try await pipeline.session.expectKeyPhrase(isExpected)
    }
    if pipeline.manner == .live { try await pipeline.session.startUtterance() }
  }

  private mutating func decode(
    _ audio: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    guard pipeline.manner == .live else {
      utterance?.audio.append(audio)
      return
    }
    var waiting = audio
    while let sound = try await utteranceSound(waiting, emit: emit),
      try await hearLive(sound, emit: emit), let utterance
    {
      // The decoder heard what it waited for, a key phrase; it goes on listening in what follows.
      self.utterance = nil
      remainder = try await recognize(utterance, emit: emit)
      applyEndRule(to: "")
      waiting = PCMBuffer(format: format)
    }
  }

  /// The sound that goes to the utterance under way: the remainder of the last one becomes one of its own when
  /// somebody speaks in it.
  private mutating func utteranceSound(
    _ audio: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws -> PCMBuffer? {
    guard var rest = remainder else { return utterance == nil ? nil : audio }
    rest.audio.append(audio)
    guard hasVoice(rest) else {
      remainder = rest
      return nil
    }
    remainder = nil
    let sound = rest.audio
    rest.audio = PCMBuffer(format: format)
    try await start(rest, emit: emit)
    return sound
  }

  /// Whether as much voice follows what was understood as an utterance has to begin with: a closed grammar
  /// takes even the silence behind a key phrase for one of its sentences. Rooms and breath go on sounding, so
  /// that what has voice may still be nothing; that is the decoder's to reject.
  private func hasVoice(_ rest: Utterance) -> Bool {
    // Of a pause that just began the segmenter has said nothing yet.
    let unsure = min(pipeline.segmenter.minimumSilence, pipeline.segmenter.trailingPadding)
    let lastVoice = rest.quietSince ?? rest.end - unsure.inSeconds
    return !rest.audio.isEmpty
      && lastVoice - max(rest.start, rest.understoodUntil)
        >= pipeline.segmenter.minimumSpeech.inSeconds
  }

  /// - Returns: whether the decoder has heard all it waited for.
  private mutating func hearLive(
    _ audio: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws -> Bool {
    guard var utterance else { return false }
    self.utterance = nil
    let update = try await pipeline.session.process(audio)
    utterance.audio.append(audio)
    if let text = update.partialText, text != utterance.partialText {
      utterance.partialText = text
      applyEndRule(to: text)
      await emit(.result(Self.partial(text, of: utterance.id)))
    }
    self.utterance = utterance
    return update.isComplete
  }

  private mutating func end(
    emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    // Now it is known how long it has been quiet in what was held back.
    if remainder != nil { try await decode(PCMBuffer(format: format), emit: emit) }
    while let utterance {
      self.utterance = nil
      let rest = try await recognize(utterance, emit: emit)
      if pipeline.manner == .live {
        remainder = rest
        try await decode(PCMBuffer(format: format), emit: emit)
      } else if hasVoice(rest) {
        try await start(rest, emit: emit)
      }
    }
    remainder = nil
  }

  /// Ends an utterance and tells what was said in it.
  ///
  /// - Returns: what is to be heard as the next one; its sound may be empty.
  private mutating func recognize(
    _ utterance: Utterance, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws -> Utterance {
    await emit(.utteranceStopped(utterance.id, lastVoice: utterance.lastVoice))
    let decoded =
      switch pipeline.manner {
      case .live:
        try await pipeline.session.finishUtterance { text in
          await emit(.result(Self.partial(text, of: utterance.id)))
        }
      case .complete: try await pipeline.session.decode(utterance.audio)
      }
    var (own, rest) = split(utterance, at: decoded?.remainder)
    if let phrase = decoded?.keyPhrase { rest.understoodUntil = utterance.start + phrase.end }
    if let decoded {
      let result = SpeechRecognitionResult(
        decoded, utteranceID: own.id, start: own.start)
      if decoded.isAccepted {
        await emit(.result(result))
      } else {
        await emit(
          .rejected(
            RejectedUtterance(
              audio: own.audio, start: own.start, nearest: result, cascade: pipeline.cascade)))
      }
    }
    await emit(.utteranceEnded(own.id, at: own.end))
    lastEnd = own.end
    return rest
  }

  /// The utterance up to there, and what follows. A sample at least is taken, so that there is an end to it.
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

  private static func partial(_ text: String, of id: UUID) -> SpeechRecognitionResult {
    SpeechRecognitionResult(text: text, isFinal: false, confidence: 0, utteranceID: id)
  }

  private func seconds(_ frames: Int) -> TimeInterval {
    Double(frames) / Double(format.sampleRate)
  }
}
