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
      guard let id = utterance?.id else { return }
      let second = seconds(streamStart + frame + missedFrames)
      utterance?.quietSince = second
      await emit(.utterancePaused(id, at: second))
    case .speechResumed(let frame):
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
    let utterance = Utterance(
      start: seconds(streamStart + frame + missedFrames), audio: PCMBuffer(format: format))
    self.utterance = utterance
    applyEndRule(to: "")
    await emit(.utteranceStarted(utterance.id, at: utterance.start))
    if pipeline.manner == .live { try await pipeline.session.startUtterance() }
  }

  private mutating func decode(
    _ audio: PCMBuffer, emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    guard var utterance else { return }
    self.utterance = nil
    switch pipeline.manner {
    case .complete:
      utterance.audio.append(audio)
    case .live:
      let update = try await pipeline.session.process(audio)
      utterance.audio.append(audio)
      if let text = update.partialText, text != utterance.partialText {
        utterance.partialText = text
        applyEndRule(to: text)
        let partial = SpeechRecognitionResult(
          text: text, isFinal: false, confidence: 0, utteranceID: utterance.id)
        await emit(.result(partial))
      }
      if update.isComplete {
        // The decoder heard what it waited for, a key phrase; it goes on listening in what follows.
        let next = utterance.end
        self.utterance = utterance
        try await end(emit: emit)
        utterance = Utterance(start: next, audio: PCMBuffer(format: format))
        await emit(.utteranceStarted(utterance.id, at: utterance.start))
        try await pipeline.session.startUtterance()
      }
    }
    self.utterance = utterance
  }

  private mutating func end(
    emit: @Sendable (UtterancePipeline<Decoder>.Event) async -> Void
  ) async throws {
    guard let utterance else { return }
    self.utterance = nil
    await emit(.utteranceStopped(utterance.id, lastVoice: utterance.lastVoice))
    let decoded =
      switch pipeline.manner {
      case .live:
        try await pipeline.session.finishUtterance { text in
          await emit(
            .result(
              SpeechRecognitionResult(
                text: text, isFinal: false, confidence: 0, utteranceID: utterance.id)))
        }
      case .complete: try await pipeline.session.decode(utterance.audio)
      }
    if let decoded {
      let result = SpeechRecognitionResult(
        decoded, utteranceID: utterance.id, start: utterance.start)
      if decoded.isAccepted {
        await emit(.result(result))
      } else {
        await emit(
          .rejected(
            RejectedUtterance(
              audio: utterance.audio, start: utterance.start, nearest: result,
              cascade: pipeline.cascade)))
      }
    }
    await emit(.utteranceEnded(utterance.id, at: utterance.end))
  }

  private func seconds(_ frames: Int) -> TimeInterval {
    Double(frames) / Double(format.sampleRate)
  }
}
