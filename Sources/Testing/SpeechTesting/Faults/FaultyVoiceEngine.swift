import SpeechConcurrency

/// A voice that misbehaves at certain requests, and is another one otherwise.
///
/// A voice is asked for each sentence, or for a few short ones together; greetings and fillers count as well.
/// ```swift
/// let engine = FaultyVoiceEngine(FliteEngine(), [1: .late(.seconds(3)), 2: .fails("no server")], clock: clock)
/// let provider = VoiceSynthesisProvider(engine: engine, configuration: .default, output: speaker)
/// ```
public struct FaultyVoiceEngine<Inner: VoiceEngine>: VoiceEngine {
  /// What it does wrong.
  public typealias Fault = FaultyResponder.Fault

  /// The engine's.
  public static var identifier: String { Inner.identifier }
  /// The engine's.
  public static var isAvailable: Bool { Inner.isAvailable }
  /// The engine's.
  public static var isOffline: Bool { Inner.isOffline }

  private let inner: Inner
  private let faults: [Int: Fault]
  private let clock: any DeviceClock
  private let requests: Guarded<Int>

  /// That engine with faults by the number of the request, counted from 1.
  public init(
    _ inner: Inner, _ faults: [Int: Fault], clock: any DeviceClock = RealClock()
  ) {
    self.inner = inner
    self.faults = faults
    self.clock = clock
    requests = Guarded(0)
  }

  /// The engine's.
  public var engineId: String { inner.engineId }

  /// The engine's.
  public func canGenerate(with configuration: Inner.Configuration) -> Bool {
    inner.canGenerate(with: configuration)
  }

  /// The engine's.
  public func fetchVoices(
    languageCode: String, configuration: Inner.Configuration
  ) async throws -> [Voice] {
    try await inner.fetchVoices(languageCode: languageCode, configuration: configuration)
  }

  /// The engine's.
  public func estimateDuration(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) -> TimeInterval {
    inner.estimateDuration(request: request, configuration: configuration)
  }

  /// The engine's.
  public func isVoiceAvailable(voiceId: String, configuration: Inner.Configuration) async -> Bool {
    await inner.isVoiceAvailable(voiceId: voiceId, configuration: configuration)
  }

  /// The engine's sound, or what goes wrong with it; what breaks off gives nothing here.
  public func generateAudio(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) async throws -> VoiceEngineOutput {
    let fault = nextFault()
    try await Self.suffer(fault, clock)
    if case .breaksOff(let reason) = fault { throw PlannedFailure(reason: reason) }
    return try await inner.generateAudio(request: request, configuration: configuration)
  }

  /// The engine's pieces, or what goes wrong with them.
  public func streamAudio(
    request: VoiceEngineRequest, configuration: Inner.Configuration
  ) -> AsyncThrowingStream<VoiceEngineChunk, any Error> {
    let chunks = inner.streamAudio(request: request, configuration: configuration)
    guard let fault = nextFault() else { return chunks }
    // A piece is made when it is asked for, as the engine's own are.
    let source = ChunkSource(chunks, fault, clock)
    return AsyncThrowingStream { try await source.next() }
  }

  private func nextFault() -> Fault? {
    requests.withLock { number in
      number += 1
      return faults[number]
    }
  }

  /// What comes before the first piece.
  fileprivate static func suffer(_ fault: Fault?, _ clock: any DeviceClock) async throws {
    switch fault {
    case .late(let delay): try await clock.sleep(until: clock.time + delay)
    case .fails(let reason): throw PlannedFailure(reason: reason)
    case .hangs:
      while true { try await clock.sleep(until: clock.time + .seconds(3_600)) }
    case .breaksOff, nil: break
    }
  }

  private actor ChunkSource {
    private let chunks: AsyncThrowingStream<VoiceEngineChunk, any Error>
    private let fault: Fault
    private let clock: any DeviceClock
    private var given = 0

    init(
      _ chunks: AsyncThrowingStream<VoiceEngineChunk, any Error>, _ fault: Fault,
      _ clock: any DeviceClock
    ) {
      (self.chunks, self.fault, self.clock) = (chunks, fault, clock)
    }

    func next() async throws -> VoiceEngineChunk? {
      if given == 0 { try await FaultyVoiceEngine.suffer(fault, clock) }
      if given == 1, case .breaksOff(let reason) = fault { throw PlannedFailure(reason: reason) }
      given += 1
      // A stream keeps its place however many iterators it has.
      var iterator = chunks.makeAsyncIterator()
      return try await iterator.next()
    }
  }
}
