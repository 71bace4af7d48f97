import SpeechConcurrency

/// A voice that misbehaves at given requests, and otherwise does what the one it wraps does.
///
/// A voice gets a request for each sentence, or for a few short ones together. Greetings and
/// fillers count as well.
/// ```swift
/// let engine = FaultyVoiceEngine(
///   FliteEngine(), [1: .late(.seconds(3)), 2: .fails("no server")], clock: clock)
/// let provider = VoiceSynthesisProvider(engine: engine, configuration: .default, output: speaker)
/// ```
public struct FaultyVoiceEngine<Inner: VoiceEngine>: VoiceEngine {
  /// The faults of the voice, with pieces of audio instead of text.
  public typealias Misbehaviour = FaultyResponder.Misbehaviour

  /// The identifier of the inner engine.
  public static var identifier: String { Inner.identifier }
  /// True if the inner engine is available.
  public static var isAvailable: Bool { Inner.isAvailable }
  /// True if the inner engine works offline.
  public static var isOffline: Bool { Inner.isOffline }

  private let inner: Inner
  private let faults: [Int: Misbehaviour]
  private let clock: any DeviceClock
  private let requests: Guarded<Int>

  /// Wraps an engine with faults by the number of the request, counted from 1.
  public init(
    _ inner: Inner, _ faults: [Int: Misbehaviour], clock: any DeviceClock = RealClock()
  ) {
    self.inner = inner
    self.faults = faults
    self.clock = clock
    requests = Guarded(0)
  }

  /// The identifier of the inner engine.
  public var engineId: String { inner.engineId }

  /// Asks the inner engine whether it can generate with the configuration.
  public func canGenerate(with configuration: Inner.Configuration) -> Bool {
    inner.canGenerate(with: configuration)
  }

  /// Fetches the voices of the inner engine.
  public func fetchVoices(
    languageCode: String, configuration: Inner.Configuration
  ) async throws -> [Voice] {
    try await inner.fetchVoices(languageCode: languageCode, configuration: configuration)
  }

  /// Returns the estimate of the inner engine.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) -> TimeInterval {
    inner.estimateDuration(request: request, configuration: configuration)
  }

  /// Asks the inner engine whether it has the voice.
  public func isVoiceAvailable(voiceId: String, configuration: Inner.Configuration) async -> Bool {
    await inner.isVoiceAvailable(voiceId: voiceId, configuration: configuration)
  }

  /// Returns the audio of the inner engine, or fails. A fault after the first piece gives no audio
  /// here.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) async throws -> VoiceEngineOutput {
    let fault = nextFault()
    try await fault?.begin(on: clock)
    try await fault?.follow(on: clock)
    return try await inner.generateAudio(request: request, configuration: configuration)
  }

  /// Returns the pieces of the inner engine, or fails between them.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let chunks = inner.streamAudio(request: request, configuration: configuration)
    guard let fault = nextFault() else { return chunks }
    // Each piece is produced on demand, like those of the inner engine.
    let given = Guarded(0)
    return AsyncThrowingStream { [clock] in
      let number = given.withLock { given in
        defer { given += 1 }
        return given
      }
      if number == 0 { try await fault.begin(on: clock) }
      if number == 1 { try await fault.follow(on: clock) }
      // A stream keeps its position across iterators.
      var iterator = chunks.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  private func nextFault() -> Misbehaviour? {
    requests.withLock { number in
      number += 1
      return faults[number]
    }
  }
}
