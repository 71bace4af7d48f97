import Foundation
import Observation
import SpeechConcurrency

/// A voice for tests, which is silent and finishes when the test says so.
///
/// ```swift
/// let mock = MockSpeechSynthesisProvider()
/// mock.autoComplete = false
/// let engine = SpeechSynthesisEngine(provider: mock)
/// Task { try await engine.speak(text: "Hello") }
/// mock.simulateCompletion()
/// ```
@Observable
@MainActor
public final class MockSpeechSynthesisProvider: SpeechSynthesisProvider {
  /// `com.speechkit.mock.synthesis`
  public static let identifier = "com.speechkit.mock.synthesis"
  /// Always.
  public static let isAvailable = true

  /// What the mock claims to be able to do.
  public var mockCapabilities: Set<SpeechSynthesisCapability> = [.pause, .resume, .offline]
  /// What `speak` throws.
  public var speakError: SpeechSynthesisProviderError?
  /// Whether `speak` completes by itself, at once.
  public var autoComplete = true

  /// How often something was to be spoken.
  public private(set) var speakCallCount = 0
  /// How often speech was stopped.
  public private(set) var stopCallCount = 0
  /// How often speech was paused.
  public private(set) var pauseCallCount = 0
  /// How often speech was resumed.
  public private(set) var resumeCallCount = 0
  /// The latest text.
  public private(set) var lastSpokenText: String?
  /// The voice that was asked for with it.
  public private(set) var lastRequestedVoice: String?

  /// Whether it is speaking.
  public private(set) var isPlaying = false
  /// Whether it is held in the middle of speech.
  public private(set) var isPaused = false

  @ObservationIgnored private let broadcast = Broadcast<SpeechSynthesisEvent>()
  @ObservationIgnored private var speaker: CheckedContinuation<Void, any Error>?

  /// A mock that completes at once.
  public init() {}

  /// The claimed capabilities.
  public var capabilities: Set<SpeechSynthesisCapability> { mockCapabilities }

  /// The simulated events.
  public var events: AsyncStream<SpeechSynthesisEvent> { broadcast.stream() }

  /// Counts the call and waits for its simulated end.
  public func speak(text: String, voice: String?) async throws {
    speakCallCount += 1
    lastSpokenText = text
    lastRequestedVoice = voice
    guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
      throw SpeechSynthesisProviderError.invalidText
    }
    if let speakError {
      broadcast.send(.failed(speakError))
      throw speakError
    }
    end(.failure(.cancelled))
    let utterance = speakCallCount
    isPlaying = true
    broadcast.send(.started)
    if autoComplete {
      end(.success(()))
      return
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
          end(.failure(.cancelled))
        } else {
          speaker = continuation
        }
      }
    } onCancel: {
      Task { @MainActor in
        // Something else may be spoken by now.
        if self.speakCallCount == utterance { self.end(.failure(.cancelled)) }
      }
    }
  }

  /// Counts the call and ends what is being spoken.
  public func stop() {
    stopCallCount += 1
    end(.failure(.cancelled))
  }

  /// Counts the call and holds.
  public func pause() {
    pauseCallCount += 1
    guard isPlaying else { return }
    isPlaying = false
    isPaused = true
    broadcast.send(.paused)
  }

  /// Counts the call and goes on.
  public func resume() {
    resumeCallCount += 1
    guard isPaused else { return }
    isPlaying = true
    isPaused = false
    broadcast.send(.resumed)
  }

  /// So much has been heard.
  public func simulateProgress(_ progress: Float) {
    broadcast.send(.progress(progress))
  }

  /// The last sample has been heard.
  public func simulateCompletion() {
    end(.success(()))
  }

  /// Speaking fails. At rest only the event is sent.
  public func simulateError(_ error: SpeechSynthesisProviderError) {
    if isPlaying || isPaused {
      end(.failure(error))
    } else {
      broadcast.send(.failed(error))
    }
  }

  /// Forgets all that was set and counted.
  public func reset() {
    end(.failure(.cancelled))
    mockCapabilities = [.pause, .resume, .offline]
    speakError = nil
    autoComplete = true
    speakCallCount = 0
    stopCallCount = 0
    pauseCallCount = 0
    resumeCallCount = 0
    lastSpokenText = nil
    lastRequestedVoice = nil
  }

  private func end(_ outcome: Result<Void, SpeechSynthesisProviderError>) {
    guard isPlaying || isPaused else { return }
    isPlaying = false
    isPaused = false
    switch outcome {
    case .success: broadcast.send(.completed)
    case .failure(let error): broadcast.send(.failed(error))
    }
    speaker?.resume(with: outcome.mapError { $0 as any Error })
    speaker = nil
  }
}
