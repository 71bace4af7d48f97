import Foundation
import Observation
import SpeechAudio
import SpeechConcurrency

/// Turns any `SpeechDecoder` into a provider that listens through an `AudioInput`.
///
/// The decoder stays loaded between two sessions in the same language.
///
/// ```swift
/// let provider = DecoderRecognitionProvider<PocketSphinxDecoder>(
///   configuration: .init(), input: ScriptedMicrophone(script))
/// try await provider.startListening(locale: Locale(identifier: "en-US"))
/// ```
@Observable
@MainActor
public final class DecoderRecognitionProvider<Decoder: SpeechDecoder>: ConversationalRecognition {
  /// The identifier of the decoder.
  public static var identifier: String { Decoder.identifier }
  /// True if the decoder can run on this machine.
  public static var isAvailable: Bool { Decoder.isAvailable }

  /// The source of the audio.
  public let input: any AudioInput
  /// The segmentation into utterances, from the next start on.
  public var segmenter: SpeechSegmenterConfiguration
  /// The recognisers that can read a rejected utterance, from the next start on.
  public var cascade = RecognitionCascade([])

  /// The known state of the permission to open the input.
  public private(set) var authorizationStatus = SpeechAuthorizationStatus.notDetermined
  /// The words of the utterance in progress so far.
  public private(set) var partialTranscription = ""
  /// The reason why listening ended or is interrupted; `nil` otherwise.
  public private(set) var failure: SpeechRecognitionError?

  private var state = ListeningState()
  @ObservationIgnored private let configuration: Decoder.Configuration
  @ObservationIgnored private let broadcast = SessionBroadcast<SpeechRecognitionResult>(
    keepsUnheard: \.isFinal)
  @ObservationIgnored private let rejected = SessionBroadcast<RejectedUtterance>()
  @ObservationIgnored private let happened = SessionBroadcast<HearingEvent>()
  @ObservationIgnored private let control = ListeningControl()
  @ObservationIgnored private var session: (locale: Locale, owner: RecognitionSession<Decoder>)?
  @ObservationIgnored private var capture: (any AudioCapture)?
  @ObservationIgnored private var starting: Task<any AudioCapture, any Error>?
  @ObservationIgnored private var listening: Task<Void, Never>?
  @ObservationIgnored private var heard: Streams?
  @ObservationIgnored private let starts = Turnstile()

  /// Creates a provider that listens through that input with such decoders.
  public convenience init(
    configuration: Decoder.Configuration, input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(completed: configuration, input: input, segmenter: segmenter)
  }

  /// Creates a provider with a complete configuration, to which no defaults are added.
  package init(
    completed configuration: Decoder.Configuration, input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration
  ) {
    self.configuration = configuration
    self.input = input
    self.segmenter = segmenter
  }

  deinit {
    starting?.cancel()
    capture?.stop()
  }

  /// True while it is listening.
  public var isListening: Bool { state.phase == .starting || state.phase == .listening }

  /// The results from now on, until listening ends. Final results without a listener are kept for
  /// the next stream.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The utterances that the decoder rejects from now on, until listening ends.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// All events from now on, until listening ends.
  public var hearing: AsyncStream<HearingEvent> { happened.stream() }

  /// The rule for the end of an utterance; `nil` for the segmenter's rule.
  public var endRule: UtteranceEndRule? {
    get { control.endRule }
    set { control.endRule = newValue }
  }

  /// True while the input is muted.
  public var isMuted: Bool {
    get { control.isMuted }
    set { control.isMuted = newValue }
  }

  /// Ends the utterance in progress, as if the user had fallen silent.
  public func endUtterance() { control.endUtterance() }

  /// Sets whether a key phrase has to be heard from the next utterance on, for decoders that wait
  /// for one.
  public func expectKeyPhrase(_ isExpected: Bool) { control.expectKeyPhrase(isExpected) }

  /// Sets the words that the user answers from the next utterance on, for decoders that use them.
  public func setContext(_ text: String) { control.setContext(text) }

  /// The streams of one session.
  private struct Streams {
    let results: Broadcast<SpeechRecognitionResult>
    let rejections: Broadcast<RejectedUtterance>
    let hearing: Broadcast<HearingEvent>

    func finish() {
      results.finish()
      rejections.finish()
      hearing.finish()
    }
  }

  /// Checks whether the input can be opened; if not, `failure` contains the reason.
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    do {
      try await input.checkAvailability()
      authorizationStatus = .authorized
    } catch {
      if case AudioError.noDevice = error {
        authorizationStatus = .restricted
      } else {
        authorizationStatus = .denied
      }
      failure = SpeechRecognitionError(error)
    }
    return authorizationStatus
  }

  /// Loads the decoder for that language, so that the first start is as quick as the next ones.
  ///
  /// - Throws: `SpeechRecognitionError` when a model is missing or broken.
  public func prepare(locale: Locale) async throws {
    do {
      try await owner(for: locale).prepare()
    } catch {
      throw SpeechRecognitionError(error)
    }
  }

  /// Starts listening; returns when the first audio is captured. Does nothing while it is
  /// listening.
  ///
  /// - Throws: `SpeechRecognitionError`: `notAvailable` for a missing model, `cancelled` if it was
  ///   stopped meanwhile, `audioEngineError` if the input cannot be opened.
  public func startListening(locale: Locale) async throws {
    guard !isListening else { return }
    let stopsBefore = starts.dismissals
    try await starts.run(orThrow: SpeechRecognitionError.cancelled) {
      // The last utterance may still be decoded.
      await listening?.value
      guard starts.dismissals == stopsBefore else { throw SpeechRecognitionError.cancelled }
      guard state.phase == .idle else { return }
      try await start(locale)
    }
  }

  /// Stops listening. The utterance in progress is still recognised and delivered.
  public func stopListening() {
    starts.dismissAll()
    switch state.handle(.stop) {
    case .closeCapture:
      capture?.stop()
      if let heard {
        broadcast.close(heard.results)
        rejected.close(heard.rejections)
        happened.close(heard.hearing)
      }
    case .abandonStart: starting?.cancel()
    case nil: break
    }
  }

  private func start(_ locale: Locale) async throws {
    _ = state.handle(.start)
    failure = nil
    partialTranscription = ""
    do {
      let owner = owner(for: locale)
      let capture = try await openCapture(for: owner)
      if state.handle(.opened) == .closeCapture {
        capture.stop()
        throw SpeechRecognitionError.cancelled
      }
      authorizationStatus = .authorized
      listen(to: capture, with: owner)
    } catch {
      let wasStopped = state.phase == .abandoning
      _ = state.handle(.ended)
      if wasStopped, !Task.isCancelled { throw SpeechRecognitionError.cancelled }
      if error is CancellationError { throw error }
      let known = SpeechRecognitionError(error)
      if known != .cancelled { failure = known }
      throw known
    }
  }

  func owner(for locale: Locale) -> RecognitionSession<Decoder> {
    if let session, session.locale == locale { return session.owner }
    let owner = RecognitionSession<Decoder>(configuration: configuration, locale: locale)
    session = (locale, owner)
    return owner
  }

  private func openCapture(
    for owner: RecognitionSession<Decoder>
  ) async throws -> any AudioCapture {
    let input = input
    let task = Task {
      try await owner.prepare()
      try Task.checkCancellation()
      return try await input.open()
    }
    starting = task
    defer { starting = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func listen(to capture: any AudioCapture, with owner: RecognitionSession<Decoder>) {
    self.capture = capture
    let pipeline = UtterancePipeline(
      session: owner, segmenter: segmenter, manner: .live, cascade: cascade, control: control)
    // A request of an earlier session does not apply to this one.
    _ = control.takeEnd()
    let streams = Streams(
      results: broadcast.begin(), rejections: rejected.begin(), hearing: happened.begin())
    heard = streams
    // Detached, because the main actor may be busy with a user interface while audio has to be
    // read.
    listening = Task.detached { [weak self] in
      do {
        try await pipeline.run(capture) { [weak self] in await self?.take($0, for: streams) }
        await self?.end(nil, for: streams)
      } catch {
        capture.stop()
        await self?.end(SpeechRecognitionError(error), for: streams)
      }
      streams.finish()
    }
  }

  private func take(_ event: HearingEvent, for streams: Streams) {
    switch event {
    case .result(let result):
      partialTranscription = result.isFinal ? "" : result.text
      streams.results.send(result)
    case .rejected(let utterance):
      partialTranscription = ""
      streams.rejections.send(utterance)
    case .speechEnded: partialTranscription = ""
    case .deviceLost(let error): failure = error
    case .deviceReturned: failure = nil
    case .speechStarted, .speechPaused, .speechResumed, .speechStopped: break
    }
    streams.hearing.send(event)
  }

  private func end(_ error: SpeechRecognitionError?, for streams: Streams) {
    if let error { failure = error }
    partialTranscription = ""
    capture = nil
    _ = state.handle(.ended)
    broadcast.end(streams.results)
    rejected.end(streams.rejections)
    happened.end(streams.hearing)
  }
}
