import Foundation
import Observation
import SpeechConcurrency

/// Speaks through a provider, and through a second one where the first fails.
///
/// Texts are spoken one after the other in the order in which `speak` was called; `stop()` ends the
/// current one and sends away those that wait.
///
/// ```swift
/// let engine = SpeechSynthesisEngine()
/// try await engine.speak(text: "Good morning.")
/// ```
@Observable
@MainActor
public final class SpeechSynthesisEngine {
  /// The provider of first choice.
  public let provider: any SpeechSynthesisProvider
  /// The provider that speaks where the first one fails.
  public let fallback: (any SpeechSynthesisProvider)?

  /// What went wrong last; `nil` again once something is spoken well.
  public private(set) var error: SpeechSynthesisProviderError?
  /// The identifier of the provider that speaks, or spoke last.
  public private(set) var speakerIdentifier: String?
  /// Why the second choice spoke last time; `nil` if the first did.
  public private(set) var fallbackReason: SpeechSynthesisProviderError?

  private var active: any SpeechSynthesisProvider
  @ObservationIgnored private let eventBroadcast = Broadcast<SpeechSynthesisEvent>()
  @ObservationIgnored private let positionBroadcast = Broadcast<SpeechPosition>()
  @ObservationIgnored private let changeBroadcast = Broadcast<SpeakerChange>()
  @ObservationIgnored private let turnstile = Turnstile()
  @ObservationIgnored private var relays: [Task<Void, Never>] = []
  @ObservationIgnored private var hasStarted = false
  @ObservationIgnored private var sentenceStart = 0
  /// Where in the text the second choice began.
  @ObservationIgnored private var restStart = 0
  /// The whole of the text that is spoken, or was last.
  @ObservationIgnored private var text = ""

  /// An engine that speaks through that provider alone.
  public convenience init(provider: any SpeechSynthesisProvider) {
    self.init(provider: provider, fallback: nil)
  }

  /// An engine with a second choice. It is never taken for `cancelled` and `invalidText`, and the next
  /// text goes to the first choice again.
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

  /// Whether something is being spoken.
  public var isPlaying: Bool { active.isPlaying }

  /// Whether speech is held.
  public var isPaused: Bool { active.isPaused }

  /// What the provider can do.
  public var capabilities: Set<SpeechSynthesisCapability> { active.capabilities }

  /// Whether there is a second choice.
  public var fallbackEnabled: Bool { fallback != nil }

  /// What happens from now on. A change to the second choice is not an event of its own, because the text
  /// goes on: `speakerChanges` tells of it, and `fallbackReason` and `speakerIdentifier`.
  public var events: AsyncStream<SpeechSynthesisEvent> { eventBroadcast.stream() }

  /// Who speaks from now on in the place of whom, and why.
  package var speakerChanges: AsyncStream<SpeakerChange> { changeBroadcast.stream() }

  /// Where in the text the voice is, from now on.
  public var positions: AsyncStream<SpeechPosition> { positionBroadcast.stream() }

  /// What has been heard of the text that is being spoken, or of the last one, by whoever spoke; `nil` if
  /// that is not known.
  public var spoken: SpokenRecord? {
    guard var record = active.spoken else { return nil }
    record.text = text
    record.start = restStart
    record.positions = record.positions.map { $0.shifted(by: restStart) }
    return record
  }

  /// Speaks the text and returns when its last sample has been heard. While another text is spoken it
  /// waits its turn.
  ///
  /// - Throws: `SpeechSynthesisProviderError`; `CancellationError` if the calling task is cancelled.
  public func speak(text: String, voice: String? = nil) async throws {
    do {
      guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
        throw SpeechSynthesisProviderError.invalidText
      }
      try await turnstile.run(orThrow: SpeechSynthesisProviderError.cancelled) {
        try await speakWithFallback(text: text, voice: voice)
      }
      error = nil
    } catch {
      self.error = SpeechSynthesisProviderError(error)
      if error is CancellationError { throw error }
      throw SpeechSynthesisProviderError(error)
    }
  }

  /// Ends what is being spoken, at once, and all that waits to be spoken.
  public func stop() {
    turnstile.dismissAll()
    active.stop()
  }

  /// Holds the sound, if the provider can.
  public func pause() {
    guard active.capabilities.contains(.pause) else { return }
    active.pause()
  }

  /// Goes on after a pause, if the provider can.
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
      // A sentence that broke off is said again from its beginning, for nobody understands half of one.
      restStart = (provider as? any SentenceTracking)?.lastSentenceStart ?? sentenceStart
      let rest = String(text.unicodeScalars.dropFirst(restStart))
      try await fallback.speak(text: rest, voice: nil)
    }
  }

  private func activate(_ provider: any SpeechSynthesisProvider) {
    active = provider
    let speaker = type(of: provider).identifier
    if let speakerIdentifier, speaker != speakerIdentifier {
      changeBroadcast.send(SpeakerChange(speaker: speaker, reason: fallbackReason))
    }
    speakerIdentifier = speaker
  }

  private func isReasonToFallBack(_ error: any Error) -> Bool {
    guard !(error is CancellationError) else { return false }
    let known = SpeechSynthesisProviderError(error)
    return known != .cancelled && known != .invalidText
  }

  /// Passes the provider's events on. Its streams are asked for once, because a provider may well keep
  /// only the latest listener.
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
      // Here too, because the next text may have begun before this one's events came by.
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

/// One voice takes over from another.
package struct SpeakerChange: Sendable, Equatable {
  /// The identifier of the provider that speaks now.
  package var speaker: String
  /// Why it is not the first choice; `nil` when the first choice is back.
  package var reason: SpeechSynthesisProviderError?

  /// A change.
  package init(speaker: String, reason: SpeechSynthesisProviderError?) {
    self.speaker = speaker
    self.reason = reason
  }
}
