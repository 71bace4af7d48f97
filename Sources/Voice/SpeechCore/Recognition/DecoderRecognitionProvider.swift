import Foundation
import Observation
import SpeechAudio
import SpeechConcurrency

/// Turns any `SpeechDecoder` into a provider that hears through an `AudioInput`.
///
/// The decoder stays loaded between one listening and the next in the same language.
///
/// ```swift
/// let provider = DecoderRecognitionProvider<PocketSphinxDecoder>(
///   configuration: .init(), input: ScriptedMicrophone(script))
/// try await provider.startListening(locale: Locale(identifier: "en-US"))
/// ```
@Observable
@MainActor
public final class DecoderRecognitionProvider<Decoder: SpeechDecoder>: ConversationalRecognition {
  /// The decoder's.
  public static var identifier: String { Decoder.identifier }
  /// The decoder's.
  public static var isAvailable: Bool { Decoder.isAvailable }

  /// What it hears through.
  public let input: any AudioInput
  /// How sound is cut into utterances, from the next start on.
  public var segmenter: SpeechSegmenterConfiguration
  /// Who may be asked what was said in the utterances that are rejected, from the next start on.
  public var cascade = RecognitionCascade([])

  /// Whether the input can be opened, as far as is known.
  public private(set) var authorizationStatus = SpeechAuthorizationStatus.notDetermined
  /// The words of the utterance that is being spoken, as far as they are understood.
  public private(set) var partialTranscription = ""
  /// Why listening ended or stands still; `nil` while all is well.
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
  /// How often it was told to stop; a start that sees it change is not wanted any more.
  @ObservationIgnored private var stops = 0

  /// A provider that hears that input with such decoders.
  public convenience init(
    configuration: Decoder.Configuration, input: any AudioInput,
    segmenter: SpeechSegmenterConfiguration = SpeechSegmenterConfiguration()
  ) {
    self.init(completed: configuration, input: input, segmenter: segmenter)
  }

  /// A provider with a configuration that nothing is to be added to, as is done for some decoders.
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

  /// Whether it is listening.
  public var isListening: Bool { state.phase == .starting || state.phase == .listening }

  /// The results from now on, until listening ends. Final ones that nobody was there to hear are kept
  /// for the next who asks.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The utterances that the decoder rejects from now on, until listening ends.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// All that is heard from now on, until listening ends.
  public var hearing: AsyncStream<HearingEvent> { happened.stream() }

  /// When an utterance is over; `nil` for the segmenter's rule.
  public var endRule: UtteranceEndRule? {
    get { control.endRule }
    set { control.endRule = newValue }
  }

  /// Whether it is deaf.
  public var isMuted: Bool {
    get { control.isMuted }
    set { control.isMuted = newValue }
  }

  /// Ends the utterance that is under way, as if the user had fallen silent.
  public func endUtterance() { control.endUtterance() }

  /// Says whether a key phrase has to be heard from the next utterance on, to decoders that wait for one.
  public func expectKeyPhrase(_ isExpected: Bool) { control.expectKeyPhrase(isExpected) }

  /// Where what is heard in one session goes.
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

  /// Asks the input whether it can be opened; if not, `failure` says why.
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

  /// Starts listening; returns when the first sound can be heard. Does nothing while it is listening.
  ///
  /// - Throws: `SpeechRecognitionError`: `notAvailable` for a model that cannot be had, `cancelled` if
  ///   it was stopped meanwhile, `audioEngineError` if the input cannot be opened.
  public func startListening(locale: Locale) async throws {
    guard !isListening else { return }
    let stopsBefore = stops
    try await starts.run(orThrow: SpeechRecognitionError.cancelled) {
      // What was said last may still be in the works.
      await listening?.value
      guard stops == stopsBefore else { throw SpeechRecognitionError.cancelled }
      guard state.phase == .idle else { return }
      try await start(locale)
    }
  }

  /// Stops listening. The utterance that was under way is still recognised and delivered.
  public func stopListening() {
    stops += 1
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
    // What was asked for in an earlier session is not for this one.
    _ = control.takeEnd()
    let streams = Streams(
      results: broadcast.begin(), rejections: rejected.begin(), hearing: happened.begin())
    heard = streams
    // Detached, because the main actor may be busy with a user interface while sound has to be read.
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
