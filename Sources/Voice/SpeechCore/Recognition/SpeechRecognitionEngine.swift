import Foundation
import Observation
import SpeechConcurrency

/// Listens through a provider and keeps the state that an app shows: whether it is listening, the
/// words so far, the latest result, and the latest error.
///
/// ```swift
/// let engine = SpeechRecognitionEngine()
/// try await engine.startListening(locale: Locale(identifier: "en-US"))
/// for await result in engine.results where result.isFinal {
///   print(result.text)
///   engine.stopListening()
/// }
/// ```
@Observable
@MainActor
public final class SpeechRecognitionEngine {
  /// The latest result, partial or final.
  public private(set) var lastResult: SpeechRecognitionResult?

  /// The provider that it listens through.
  public let provider: any SpeechRecognitionProvider

  @ObservationIgnored private let broadcast = SessionBroadcast<SpeechRecognitionResult>(
    keepsUnheard: \.isFinal)
  @ObservationIgnored private let rejected = SessionBroadcast<RejectedUtterance>()
  @ObservationIgnored private var session: Session?
  @ObservationIgnored private var relays: [Task<Void, Never>] = []
  @ObservationIgnored private let starts = Turnstile()
  private var startError: SpeechRecognitionError?

  /// Creates an engine that listens through that provider.
  public init(provider: any SpeechRecognitionProvider) {
    self.provider = provider
  }

  /// True while it is listening.
  public var isListening: Bool { provider.isListening }

  /// The words of the utterance in progress so far.
  public var partialTranscription: String { provider.partialTranscription }

  /// The state of the permission to listen.
  public var authorizationStatus: SpeechAuthorizationStatus { provider.authorizationStatus }

  /// The latest error; `nil` again once listening has started.
  public var error: SpeechRecognitionError? { startError ?? provider.failure }

  /// The results, for any number of listeners.
  ///
  /// A stream that is requested while listening ends when listening has ended and all results have
  /// been delivered. Requested at rest or after `stopListening()`, it delivers the next session.
  /// Final results without a listener are kept for the first stream.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The utterances that the recogniser does not listen for. The streams begin and end as those of
  /// `results` do. Rejections without a listener are not kept.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// The streams of one session.
  private struct Session {
    let results: Broadcast<SpeechRecognitionResult>
    let rejections: Broadcast<RejectedUtterance>
  }

  /// Requests the permission to listen.
  @discardableResult
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    await provider.requestAuthorization()
  }

  /// Starts listening; returns when the first audio is captured. Does nothing while it is
  /// listening.
  ///
  /// - Throws: `SpeechRecognitionError`: `notAvailable` and `notAuthorized` before anything was
  ///   opened, `cancelled` if it was stopped meanwhile, otherwise the provider's error, such as why
  ///   no microphone can be opened.
  public func startListening(locale: Locale = .current) async throws {
    guard !provider.isListening else { return }
    let stopsBefore = starts.dismissals
    do {
      // One start at a time: two that overlap would both relay every result.
      try await starts.run(orThrow: SpeechRecognitionError.cancelled) {
        guard !provider.isListening else { return }
        startError = nil
        try await authorize()
        guard starts.dismissals == stopsBefore else { throw SpeechRecognitionError.cancelled }
        try await start(locale)
      }
    } catch {
      let known = SpeechRecognitionError(error)
      startError = known
      if error is CancellationError { throw error }
      throw known
    }
  }

  /// Stops listening. The utterance in progress is still recognised and delivered.
  public func stopListening() {
    starts.dismissAll()
    if let session { close(session) }
    provider.stopListening()
  }

  private func authorize() async throws {
    guard type(of: provider).isAvailable else { throw SpeechRecognitionError.notAvailable }
    var status = provider.authorizationStatus
    // Also if it was refused before: a microphone may have been connected since.
    if status != .authorized { status = await provider.requestAuthorization() }
    guard status == .authorized else {
      // The provider's reason is more specific: that there is no microphone, or which program uses
      // it.
      throw provider.failure ?? SpeechRecognitionError.notAuthorized
    }
  }

  private func start(_ locale: Locale) async throws {
    // The last session may have ended by itself and still be delivering.
    if let session { close(session) }
    let results = provider.results
    let rejections = provider.rejections
    let session = Session(results: broadcast.begin(), rejections: rejected.begin())
    self.session = session
    do {
      try await provider.startListening(locale: locale)
    } catch {
      broadcast.end(session.results)
      rejected.end(session.rejections)
      throw error
    }
    let relayed = Task { [weak self] in
      for await result in results {
        self?.lastResult = result
        session.results.send(result)
      }
      self?.broadcast.end(session.results)
      session.results.finish()
    }
    let relayedRejections = Task { [weak self] in
      for await utterance in rejections { session.rejections.send(utterance) }
      self?.rejected.end(session.rejections)
      session.rejections.finish()
    }
    relays = [relayed, relayedRejections]
  }

  private func close(_ session: Session) {
    broadcast.close(session.results)
    rejected.close(session.rejections)
  }

  deinit {
    // A relay without an engine would keep its provider's stream alive.
    for relay in relays { relay.cancel() }
  }
}
