import Foundation
import Observation
import SpeechConcurrency

/// Speaks through a provider, and through a fallback where the provider fails.
///
/// Texts are spoken one after the other in the order of the calls of `speak`. `stop()` ends the
/// current one and cancels the waiting ones.
///
/// ```swift
/// let engine = SpeechSynthesisEngine()
/// try await engine.speak(text: "Good morning.")
/// ```
@Observable
@MainActor
public final class SpeechSynthesisEngine {
  /// The provider that speaks first.
  public let provider: any SpeechSynthesisProvider
  /// The provider that speaks where the first one fails.
  public let fallback: (any SpeechSynthesisProvider)?

  /// The latest error; `nil` again once a text has been spoken.
  public private(set) var error: SpeechSynthesisProviderError?
  /// The identifier of the provider that is speaking, or spoke last.
  public private(set) var speakerIdentifier: String?
  /// The error because of which the fallback spoke last; `nil` if the first provider did.
  public private(set) var fallbackReason: SpeechSynthesisProviderError?

  private var active: any SpeechSynthesisProvider
  @ObservationIgnored private let eventBroadcast = Broadcast<SpeechSynthesisEvent>()
  @ObservationIgnored private let positionBroadcast = Broadcast<SpeechPosition>()
  @ObservationIgnored private let turnstile = Turnstile()
  @ObservationIgnored private var relays: [Task<Void, Never>] = []
  @ObservationIgnored private var hasStarted = false
  @ObservationIgnored private var sentenceStart = 0
  /// The position in the text where the fallback began.
  @ObservationIgnored private var restStart = 0
  /// The whole of the current or latest text.
  @ObservationIgnored private var text = ""

  /// Creates an engine that speaks through that provider alone.
  public convenience init(provider: any SpeechSynthesisProvider) {
    self.init(provider: provider, fallback: nil)
  }

  /// Creates an engine with a fallback. The fallback is not used for `cancelled` and `invalidText`,
  /// and the next text is spoken by the first provider again.
  public init(provider: any SpeechSynthesisProvider, fallback: (any SpeechSynthesisProvider)?) {
    self.provider = provider
    self.fallback = fallback
    active = provider
    relay(provider)
    if let fallback { relay(fallback) }
  }

  deinit {
    for relay in relays { relay.cancel() }
  }

  /// True while a text is spoken.
  public var isPlaying: Bool { active.isPlaying }

  /// True while speech is paused.
  public var isPaused: Bool { active.isPaused }

  /// The capabilities of the current provider.
  public var capabilities: Set<SpeechSynthesisCapability> { active.capabilities }

  /// True if there is a fallback.
  public var fallbackEnabled: Bool { fallback != nil }

  /// The events from now on. A change to the fallback is not an event, because the text continues;
  /// see `fallbackReason` and `speakerIdentifier`.
  public var events: AsyncStream<SpeechSynthesisEvent> { eventBroadcast.stream() }

  /// The positions in the text from now on.
  public var positions: AsyncStream<SpeechPosition> { positionBroadcast.stream() }

  /// The part of the current or latest text that has been heard, from any provider; `nil` if that
  /// is not known.
  public var spoken: SpokenRecord? {
    guard var record = active.spoken else { return nil }
    record.text = text
    record.start = restStart
    record.positions = record.positions.map { $0.shifted(by: restStart) }
    return record
  }

  /// Speaks the text and returns when its last sample has been heard. Waits while another text is
  /// spoken.
  ///
  /// - Throws: `SpeechSynthesisProviderError`; `CancellationError` if the calling task is
  ///   cancelled.
  public func speak(text: String, voice: String? = nil) async throws {
    try await speak(text: text, voice: voice) {}
  }

  /// Speaks the text as above.
  ///
  /// - Parameter begin: Called when the texts before it are over. If it is not called, `spoken` is
  ///   the record of another text.
  package func speak(
    text: String, voice: String?, begin: @MainActor () -> Void
  ) async throws {
    do {
      guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
        throw SpeechSynthesisProviderError.invalidText
      }
      try await turnstile.run(orThrow: SpeechSynthesisProviderError.cancelled) {
        begin()
        try await speakWithFallback(text: text, voice: voice)
      }
      error = nil
    } catch {
      self.error = SpeechSynthesisProviderError(error)
      if error is CancellationError { throw error }
      throw SpeechSynthesisProviderError(error)
    }
  }

  /// Ends the current text at once, and cancels all waiting ones.
  public func stop() {
    turnstile.dismissAll()
    active.stop()
  }

  /// Pauses the audio, if the provider can.
  public func pause() {
    guard active.capabilities.contains(.pause) else { return }
    active.pause()
  }

  /// Resumes after a pause, if the provider can.
  public func resume() {
    guard active.capabilities.contains(.resume) else { return }
    active.resume()
  }

  private func speakWithFallback(text: String, voice: String?) async throws {
    fallbackReason = nil
    self.text = text
    restStart = 0
    hasStarted = false
    sentenceStart = 0
    activate(provider)
    do {
      try await provider.speak(text: text, voice: voice)
    } catch {
      guard let fallback, isReasonToFallBack(error) else { throw error }
      fallbackReason = SpeechSynthesisProviderError(error)
      activate(fallback)
      // A sentence that broke off is repeated from its beginning, because half of one is
      // unintelligible.
      restStart = (provider as? any SentenceTracking)?.lastSentenceStart ?? sentenceStart
      let rest = String(text.unicodeScalars.dropFirst(restStart))
      try await fallback.speak(text: rest, voice: nil)
    }
  }

  private func activate(_ provider: any SpeechSynthesisProvider) {
    active = provider
    speakerIdentifier = type(of: provider).identifier
  }

  private func isReasonToFallBack(_ error: any Error) -> Bool {
    guard !(error is CancellationError) else { return false }
    let known = SpeechSynthesisProviderError(error)
    return known != .cancelled && known != .invalidText
  }

  /// Relays the provider's events. Its streams are requested once, because a provider may keep only
  /// the latest listener.
  private func relay(_ source: any SpeechSynthesisProvider) {
    let events = source.events
    let positions = source.positions
    let isFirstChoice = source === provider
    relays.append(
      Task { [weak self] in
        for await event in events { self?.pass(event, isFirstChoice: isFirstChoice) }
      })
    relays.append(
      Task { [weak self] in
        for await position in positions { self?.pass(position, isFirstChoice: isFirstChoice) }
      })
  }

  private func pass(_ event: SpeechSynthesisEvent, isFirstChoice: Bool) {
    switch event {
    case .started:
      guard !hasStarted else { return }
      hasStarted = true
    case .failed(let error):
      guard fallback == nil || !isFirstChoice || !isReasonToFallBack(error) else { return }
      hasStarted = false
    case .completed:
      // Here too, because the next text may have begun before this one's events arrived.
      hasStarted = false
    case .progress, .paused, .resumed:
      break
    }
    eventBroadcast.send(event)
  }

  private func pass(_ position: SpeechPosition, isFirstChoice: Bool) {
    if isFirstChoice, position.kind == .sentence { sentenceStart = position.textRange.lowerBound }
    var position = position
    if !isFirstChoice { position = position.shifted(by: restStart) }
    positionBroadcast.send(position)
  }
}
