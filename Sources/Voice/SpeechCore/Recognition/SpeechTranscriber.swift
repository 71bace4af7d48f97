import Foundation
import SpeechAudio

/// Transcribes recordings.
///
/// ```swift
/// let transcriber = SpeechTranscriber<PocketSphinxDecoder>(configuration: .init())
/// let transcript = try await transcriber.transcribe(url) { print("\(Int($0 * 100)) %") }
/// print(transcript.text)
/// ```
public struct SpeechTranscriber<Decoder: SpeechDecoder>: Sendable {
  /// The segmentation into utterances.
  public var segmenter: SpeechSegmenterConfiguration
  /// The recognisers that can read a rejected utterance.
  public var cascade = RecognitionCascade([])
  private let session: RecognitionSession<Decoder>

  /// Creates a transcriber whose decoder is loaded for the first file and kept for the next ones.
  public init(
    configuration: Decoder.Configuration, locale: Locale = Locale(identifier: "en-US"),
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(
      session: RecognitionSession(configuration: configuration, locale: locale),
      segmenter: segmenter)
  }

  package init(session: RecognitionSession<Decoder>, segmenter: SpeechSegmenterConfiguration) {
    self.segmenter = segmenter
    self.session = session
  }

  /// Loads the models, so that a missing or broken one is reported before the first file.
  ///
  /// - Throws: `SpeechRecognitionError`.
  public func prepare() async throws {
    try await session.prepare()
  }

  /// Transcribes an audio file.
  ///
  /// - Parameter progress: called with the fraction that is done, from 0 to 1.
  /// - Throws: `AudioError` when the file cannot be read, `SpeechRecognitionError` when it cannot
  ///   be recognised, `CancellationError` when the task is cancelled.
  public func transcribe(
    _ url: URL, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> Transcript {
    try await transcribe(AudioFileInput(url), progress: progress)
  }

  /// Transcribes audio in memory.
  ///
  /// - Throws: the same errors as for files.
  public func transcribe(
    _ audio: PCMBuffer, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> Transcript {
    try await transcribe(AudioFileInput(audio), progress: progress)
  }

  /// Transcribes a file or a pipe to its end.
  ///
  /// - Parameters:
  ///   - segment: called with each utterance as soon as it is recognised, in their order.
  ///   - rejected: called with each utterance that the decoder rejects, which is not in the
  /// transcript.
  ///   - progress: called with the fraction that is done, from 0 to 1.
  /// - Throws: the same errors as for files.
  public func transcribe(
    _ input: AudioFileInput, segment: @escaping @Sendable (TranscriptSegment) -> Void = { _ in },
    rejected: @escaping @Sendable (RejectedUtterance) -> Void = { _ in },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> Transcript {
    let capture = try await input.openFile()
    defer { capture.stop() }
    let pipeline = UtterancePipeline(
      session: session, segmenter: segmenter, manner: .complete, cascade: cascade)
    let draft = TranscriptDraft(
      duration: capture.duration?.inSeconds, segment: segment, rejected: rejected,
      progress: progress)
    try await pipeline.run(capture, progress: { await draft.heard(until: $0) }) { event in
      await draft.take(event)
    }
    return await draft.finish(isCutOff: await capture.isCutOff, damage: await capture.damage)
  }
}

/// Collects the results of a file.
private actor TranscriptDraft {
  private let duration: TimeInterval?
  private let segment: @Sendable (TranscriptSegment) -> Void
  private let rejected: @Sendable (RejectedUtterance) -> Void
  private let progress: @Sendable (Double) -> Void
  private var segments: [TranscriptSegment] = []
  private var start: TimeInterval = 0
  private var result: SpeechRecognitionResult?
  private var heard: TimeInterval = 0
  private var reported = -1.0

  init(
    duration: TimeInterval?, segment: @escaping @Sendable (TranscriptSegment) -> Void,
    rejected: @escaping @Sendable (RejectedUtterance) -> Void,
    progress: @escaping @Sendable (Double) -> Void
  ) {
    self.duration = duration
    self.segment = segment
    self.rejected = rejected
    self.progress = progress
  }

  func take(_ event: HearingEvent) {
    switch event {
    case .speechStarted(_, at: let time):
      start = time
      result = nil
    case .result(let result):
      if result.isFinal { self.result = result }
    case .rejected(let utterance):
      rejected(utterance)
    case .speechEnded(_, at: let end):
      guard let result, let next = TranscriptSegment(result, start: start, end: end) else { return }
      segments.append(next)
      segment(next)
    case .speechPaused, .speechResumed, .speechStopped, .deviceLost, .deviceReturned:
      break
    }
  }

  func heard(until time: TimeInterval) {
    heard = time
    if let duration, duration > 0 { report(min(0.99, time / duration)) }
  }

  func finish(isCutOff: Bool, damage: String?) -> Transcript {
    report(1)
    return Transcript(segments: segments, duration: heard, isCutOff: isCutOff, damage: damage)
  }

  /// Reports progress in steps of one percent.
  private func report(_ share: Double) {
    guard share >= reported + 0.01 || share == 1 else { return }
    reported = share
    progress(share)
  }
}
