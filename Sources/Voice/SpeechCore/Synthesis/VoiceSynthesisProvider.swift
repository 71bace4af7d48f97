import Foundation
import Observation
import SpeechAudio
import SpeechConcurrency

/// Turns any `VoiceEngine` into a provider that plays on an `AudioOutput`.
///
/// Texts are spoken one after the other in the order of the calls of `speak`. `stop()` ends the
/// current one and cancels the waiting ones.
///
/// ```swift
/// let provider = VoiceSynthesisProvider(
///   engine: MyEngine(), configuration: .init(), output: MemorySpeaker())
/// try await provider.speak(text: "Good morning.", voice: nil)
/// ```
@Observable
@MainActor
public final class VoiceSynthesisProvider<Engine: VoiceEngine>: SpeechSynthesisProvider,
  SentenceTracking
{
  /// The identifier of the engine.
  public static var identifier: String { Engine.identifier }
  /// True if the engine can run on this machine.
  public static var isAvailable: Bool { Engine.isAvailable }

  /// The engine that generates the audio.
  public let engine: Engine
  /// The configuration of the next text.
  public var configuration: Engine.Configuration
  /// The output that the audio is played on.
  public let output: any AudioOutput

  private var state = UtteranceState()
  @ObservationIgnored private var current: UtterancePlayback?
  @ObservationIgnored private var currentText = ""
  @ObservationIgnored private var lastRecord: SpokenRecord?
  @ObservationIgnored private(set) var lastSentenceStart = 0
  @ObservationIgnored private var currentWork: Task<Void, any Error>?
  @ObservationIgnored private let turnstile = Turnstile()
  @ObservationIgnored private let eventBroadcast = Broadcast<SpeechSynthesisEvent>()
  @ObservationIgnored private let positionBroadcast = Broadcast<SpeechPosition>()

  /// Creates a provider that speaks with that engine on that output.
  public init(engine: Engine, configuration: Engine.Configuration, output: any AudioOutput) {
    self.engine = engine
    self.configuration = configuration
    self.output = output
  }

  /// True while a text is spoken.
  public var isPlaying: Bool { state.phase == .speaking }

  /// True while speech is paused.
  public var isPaused: Bool { state.phase == .paused }

  /// Pause, resume and streaming, and offline if the engine is.
  public var capabilities: Set<SpeechSynthesisCapability> {
    Engine.isOffline ? [.pause, .resume, .streaming, .offline] : [.pause, .resume, .streaming]
  }

  /// The events from now on.
  public var events: AsyncStream<SpeechSynthesisEvent> { eventBroadcast.stream() }

  /// The positions in the text from now on; each is sent when it is heard.
  public var positions: AsyncStream<SpeechPosition> { positionBroadcast.stream() }

  /// The part of the current or latest text that has been heard.
  public var spoken: SpokenRecord? { current?.record(of: currentText) ?? lastRecord }

  /// Speaks the text and returns when its last sample has been heard.
  ///
  /// - Throws: `SpeechSynthesisProviderError`; `CancellationError` if the calling task is
  ///   cancelled.
  public func speak(text: String, voice: String?) async throws {
    guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
      throw SpeechSynthesisProviderError.invalidText
    }
    try await turnstile.run(orThrow: SpeechSynthesisProviderError.cancelled) {
      try await speakNow(text, voice)
    }
  }

  private func speakNow(_ text: String, _ voice: String?) async throws {
    let utterance = UtterancePlayback(events: eventBroadcast, positions: positionBroadcast)
    current = utterance
    currentText = text
    defer {
      lastSentenceStart = utterance.sentenceStart
      lastRecord = utterance.record(of: text)
      current = nil
    }
    perform(.begin)
    do {
      try await play(engine.makeRequest(text: text, voiceId: voice ?? ""), as: utterance)
      perform(.end(nil))
    } catch {
      let known = SpeechSynthesisProviderError(error)
      let wasStopped = state.phase == .stopping
      perform(.end(known))
      if wasStopped, !Task.isCancelled { throw SpeechSynthesisProviderError.cancelled }
      if error is CancellationError { throw error }
      throw known
    }
  }

  /// Ends the current text within one device buffer, and cancels all waiting ones.
  public func stop() {
    turnstile.dismissAll()
    perform(.stop)
  }

  /// Pauses the audio at once.
  public func pause() { perform(.pause) }

  /// Resumes after a pause, without losing a sample.
  public func resume() { perform(.resume) }

  /// Synthesises the text without playing it.
  ///
  /// - Throws: `SpeechSynthesisProviderError`; `CancellationError` if the calling task is
  ///   cancelled.
  public func render(text: String, voice: String? = nil) async throws -> PCMBuffer {
    do {
      return try await engine.render(
        engine.makeRequest(text: text, voiceId: voice ?? ""), configuration: configuration)
    } catch {
      if error is CancellationError { throw error }
      throw SpeechSynthesisProviderError(error)
    }
  }

  private func play(_ request: VoiceEngineRequest, as utterance: UtterancePlayback) async throws {
    // The estimate of an engine may be anything, but it has to be a duration.
    let estimate = engine.estimateDuration(request: request, configuration: configuration)
      .clamped(to: 0...86_400, orElse: 0)
    let chunks = engine.streamAudio(request: request, configuration: configuration)
    let output = output
    // Detached, because the main actor may be busy with a user interface while audio has to flow.
    let work = Task.detached {
      try await utterance.run(chunks, estimatedDuration: .seconds(estimate), output: output)
    }
    currentWork = work
    defer { currentWork = nil }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      utterance.stop()
      work.cancel()
    }
  }

  private func perform(_ input: UtteranceState.Input) {
    for action in state.handle(input) {
      switch action {
      case .hold: current?.pause()
      case .release: current?.resume()
      case .silence:
        current?.stop()
        currentWork?.cancel()
      case .send(let event): eventBroadcast.send(event)
      }
    }
  }
}

/// A provider that knows the latest sentence heard of its text, without the delay of a stream.
@MainActor
protocol SentenceTracking: SpeechSynthesisProvider {
  /// The start of that sentence in the text, in Unicode scalars.
  var lastSentenceStart: Int { get }
}
