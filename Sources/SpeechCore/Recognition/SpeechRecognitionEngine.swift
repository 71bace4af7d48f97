import Foundation
import Observation

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
  @ObservationIgnored private var relay: Task<Void, Never>?
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
  /// for at rest, it tells of the next time. Final results that came before anybody asked are kept for
  /// the first who does.
  public var results: AsyncStream<SpeechRecognitionResult> { broadcast.stream() }

  /// Asks for permission to listen.
  @discardableResult
  public func requestAuthorization() async -> SpeechAuthorizationStatus {
    await provider.requestAuthorization()
  }

  /// Starts listening; returns when the first sound can be heard. Does nothing while it is listening.
  ///
  /// - Throws: `SpeechRecognitionError`: `notAvailable` and `notAuthorized` before anything was opened,
  ///   otherwise what the provider says, such as why no microphone can be opened.
  public func startListening(locale: Locale = .current) async throws {
    guard !provider.isListening else { return }
    startError = nil
    do {
      try await authorize()
      let results = provider.results
      let session = broadcast.begin()
      do {
        try await provider.startListening(locale: locale)
      } catch {
        broadcast.end(session)
        throw error
      }
      relay = Task { [weak self] in
        for await result in results {
          self?.lastResult = result
          session.send(result)
        }
        self?.broadcast.end(session)
        session.finish()
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
    provider.stopListening()
  }

  private func authorize() async throws {
    guard type(of: provider).isAvailable else { throw SpeechRecognitionError.notAvailable }
    var status = provider.authorizationStatus
    if status == .notDetermined { status = await provider.requestAuthorization() }
    guard status == .authorized else {
      // The provider may know more: that there is no microphone, or who has it.
      throw provider.failure ?? SpeechRecognitionError.notAuthorized
    }
  }

  deinit {
    // A relay that nobody can see any more would keep its provider's stream alive.
    relay?.cancel()
  }
}
