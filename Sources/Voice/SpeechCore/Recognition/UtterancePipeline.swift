import Foundation
import SpeechAudio

/// The path from a capture to hearing events: resampling, segmentation into utterances, decoding.
///
/// Live listening and the transcription of files share it and differ only in `manner`.
struct UtterancePipeline<Decoder: SpeechDecoder>: Sendable {
  enum Manner: Sendable {
    /// Decodes during speech, with partial results.
    case live
    /// Decodes each utterance once it is complete.
    case complete
  }

  let session: RecognitionSession<Decoder>
  let segmenter: SpeechSegmenterConfiguration
  let manner: Manner
  /// The recognisers that can read a rejected utterance.
  let cascade: RecognitionCascade
  /// Runtime controls: muting, the end-of-utterance rule, forcing an end.
  var control = ListeningControl()

  /// Follows the capture to its end, or until decoding fails.
  ///
  /// - Parameter progress: reports the time in seconds up to which the audio has been handled.
  /// - Throws: `SpeechRecognitionError`, `AudioError`, and `CancellationError` when the task is
  ///   cancelled.
  func run(
    _ capture: any AudioCapture, progress: (@Sendable (TimeInterval) async -> Void)? = nil,
    emit: @escaping @Sendable (HearingEvent) async -> Void
  ) async throws {
    let format = try await session.prepare()
    var listener = UtteranceListener(
      pipeline: self, segmenter: SpeechSegmenter(format: format, configuration: segmenter),
      emit: emit)
    var resampler = try Resampler(from: capture.format, to: format)
    do {
      while let event = try await capture.read() {
        switch event {
        case .audio(let buffer):
          let audio = try resampler.process(buffer)
          if control.isMuted {
            try await listener.skip(audio)
          } else {
            try await listener.hear(audio)
            if control.takeEnd() { try await listener.finish() }
          }
          await progress?(listener.time)
        case .gap(let frames):
          let lost = capture.format.duration(ofFrames: frames)
          try await listener.miss(format.frames(in: lost))
        case .interrupted(let error):
          try await listener.finish()
          await emit(.deviceLost(SpeechRecognitionError(error)))
        case .resumed:
          await emit(.deviceReturned)
        }
        try Task.checkCancellation()
      }
      try await listener.hear(resampler.finish())
      try await listener.finish()
      await progress?(listener.time)
    } catch {
      _ = try? await session.hear(.discard)
      throw error
    }
  }
}
