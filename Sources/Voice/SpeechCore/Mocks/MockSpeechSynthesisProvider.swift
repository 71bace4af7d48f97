import Foundation
import Observation
import SpeechConcurrency

/// A silent voice for tests, whose completion is simulated.
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
  /// The fixed identifier of the mock.
  public static let identifier = "com.speechkit.mock.synthesis"
  /// Always true for a mock.
  public static let isAvailable = true

  /// The capabilities that the mock reports.
  public var mockCapabilities: Set<SpeechSynthesisCapability> = [.pause, .resume, .offline]
  /// The error that `speak` throws.
  public var speakError: SpeechSynthesisProviderError?
  /// True if `speak` completes by itself, at once.
  public var autoComplete = true

  /// The number of texts passed to `speak`.
  public private(set) var speakCallCount = 0
  /// The number of calls of `stop()`.
  public private(set) var stopCallCount = 0
  /// The number of calls of `pause()`.
  public private(set) var pauseCallCount = 0
  /// The number of calls of `resume()`.
  public private(set) var resumeCallCount = 0
  /// The latest text passed to `speak`.
  public private(set) var lastSpokenText: String?
  /// The voice passed with the latest text.
  public private(set) var lastRequestedVoice: String?

  /// True while it is speaking.
  public private(set) var isPlaying = false
  /// True while speech is paused.
  public private(set) var isPaused = false

  @ObservationIgnored private let broadcast = Broadcast<SpeechSynthesisEvent>()
  @ObservationIgnored private var speaker: CheckedContinuation<Void, any Error>?

  /// Creates a mock that completes at once.
  public init() {}

  /// The capabilities set by the test.
  public var capabilities: Set<SpeechSynthesisCapability> { mockCapabilities }

  /// The simulated events from now on.
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
        // Another text may be spoken by now.
        if self.speakCallCount == utterance { self.end(.failure(.cancelled)) }
      }
    }
  }

  /// Counts the call and ends the current text.
  public func stop() {
    stopCallCount += 1
    end(.failure(.cancelled))
  }

  /// Counts the call and pauses.
  public func pause() {
    pauseCallCount += 1
    guard isPlaying else { return }
    isPlaying = false
    isPaused = true
    broadcast.send(.paused)
  }

  /// Counts the call and resumes.
  public func resume() {
    resumeCallCount += 1
    guard isPaused else { return }
    isPlaying = true
    isPaused = false
    broadcast.send(.resumed)
  }

  /// Delivers that much progress, from 0 to 1.
  public func simulateProgress(_ progress: Float) {
    broadcast.send(.progress(progress))
  }

  /// Completes the current text.
  public func simulateCompletion() {
    end(.success(()))
  }

  /// Fails the current text. At rest only the event is sent.
  public func simulateError(_ error: SpeechSynthesisProviderError) {
    if isPlaying || isPaused {
      end(.failure(error))
    } else {
      broadcast.send(.failed(error))
    }
  }

  /// Resets all settings and counts.
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
