import Foundation
import Observation
import SpeechConcurrency

/// Listens through a provider and keeps what an app shows: whether it listens, what is being said, what
/// was said last and what went wrong.
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

  /// The provider that hears.
  public let provider: any SpeechRecognitionProvider

  @ObservationIgnored private let broadcast = SessionBroadcast<SpeechRecognitionResult>(
    keepsUnheard: \.isFinal)
  @ObservationIgnored private let rejected = SessionBroadcast<RejectedUtterance>()
  @ObservationIgnored private var session: Session?
  @ObservationIgnored private var relays: [Task<Void, Never>] = []
  @ObservationIgnored private let starts = Turnstile()
  /// How often it was told to stop; a start that sees it change is not wanted any more.
  @ObservationIgnored private var stops = 0
  private var startError: SpeechRecognitionError?

  /// An engine that listens through that provider.
  public init(provider: any SpeechRecognitionProvider) {
    self.provider = provider
  }

  /// Whether it is listening.
  public var isListening: Bool { provider.isListening }

  /// The words of the utterance that is being spoken, as far as they are understood.
  public var partialTranscription: String { provider.partialTranscription }

  /// Whether it may listen.
  public var authorizationStatus: SpeechAuthorizationStatus { provider.authorizationStatus }

  /// What went wrong last; `nil` again once listening starts well.
  public var error: SpeechRecognitionError? { startError ?? provider.failure }

  /// The results, for as many listeners as ask.
  ///
  /// A stream asked for while listening ends when listening has ended and all has been delivered; asked
  /// for at rest or after `stopListening()`, it tells of the next time. Final results that came before
  /// anybody asked are kept for the first who does.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// The utterances that are not believed to be what is listened for: streams that begin and end as
  /// those of `results` do. What nobody listens to is not kept.
  public var rejections: AsyncStream<RejectedUtterance> { rejected.stream() }

  /// Where what is heard in one session goes.
  private struct Session {
    let results: Broadcast<SpeechRecognitionResult>
    let rejections: Broadcast<RejectedUtterance>
  }

  /// Asks for permission to listen.
  @discardableResult
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    await provider.requestAuthorization()
  }

  /// Starts listening; returns when the first sound can be heard. Does nothing while it is listening.
  ///
  /// - Throws: `SpeechRecognitionError`: `notAvailable` and `notAuthorized` before anything was opened,
  ///   `cancelled` if it was stopped meanwhile, otherwise what the provider says, such as why no
  ///   microphone can be opened.
  public func startListening(locale: Locale = .current) async throws {
    guard !provider.isListening else { return }
    let stopsBefore = stops
    do {
      // One start at a time: two that overlap would both pass on every result.
      try await starts.run(orThrow: SpeechRecognitionError.cancelled) {
        guard !provider.isListening else { return }
        startError = nil
        try await authorize()
        guard stops == stopsBefore else { throw SpeechRecognitionError.cancelled }
        try await start(locale)
      }
    } catch {
      let known = SpeechRecognitionError(error)
      startError = known
      if error is CancellationError { throw error }
      throw known
    }
  }

  /// Stops listening. The utterance that was under way is still recognised and delivered.
  public func stopListening() {
    stops += 1
    starts.dismissAll()
    if let session { close(session) }
    provider.stopListening()
  }

  private func authorize() async throws {
    guard type(of: provider).isAvailable else { throw SpeechRecognitionError.notAvailable }
    var status = provider.authorizationStatus
    // Also where it was refused before: a microphone may have been connected since.
    if status != .authorized { status = await provider.requestAuthorization() }
    guard status == .authorized else {
      // The provider may know more: that there is no microphone, or who has it.
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
    // A relay that nobody can see any more would keep its provider's stream alive.
    for relay in relays { relay.cancel() }
  }
}
