import ConformanceTesting

/// The laws that every synthesis provider keeps.
public enum SynthesisProviderLaw: String, Sendable, CaseIterable {
  /// `speak` returns when everything has been heard, between the events `started` and `completed`.
  case speaks
  /// Every `started` is followed by one `completed` or `failed`, whatever happens in between.
  case endsWhatItBegins
  /// An empty text gives `invalidText`.
  case refusesNothing
  /// `stop()` ends the speech: `speak` throws `cancelled`, and the provider works afterwards.
  case stops
  /// Stopping, pausing and resuming have no effect in the idle state.
  case isCalmAtRest
  /// Pausing holds the speech and resuming continues it, if it has these capabilities.
  case pauses
  /// A cancelled task ends soon, and the provider works afterwards.
  case obeysCancellation
  /// All listeners receive the same events.
  case tellsAllListeners
  /// Several texts at once all end, and the provider works afterwards.
  case survivesCrowds
  /// It is deallocated when its last owner releases it.
  case isLetGo
}

/// Tests whether a voice keeps the laws of `SpeechSynthesisProvider`.
///
/// ```swift
/// try await SynthesisProviderConformance {
///   FliteSynthesisProvider(
///     engine: FliteEngine(), configuration: .default, output: MemorySpeaker())
/// }.run()
/// ```
public struct SynthesisProviderConformance: ConformanceSuite {
  private let text: String
  private let make: @MainActor @Sendable () async throws -> any SpeechSynthesisProvider

  /// Creates a suite for providers. The closure makes a new one for each law.
  ///
  /// - Parameter text: A few words that the voice can speak.
  public init(
    text: String = "Good morning. It is a fine day today.",
    make: @escaping @MainActor @Sendable () async throws -> any SpeechSynthesisProvider
  ) {
    self.text = text
    self.make = make
  }

  /// Returns the reason why the voice breaks a law; `nil` if it keeps it.
  public func objection(to law: SynthesisProviderLaw) async throws -> String? {
    try await objection(to: law) { try await hold(law) }
  }

  @MainActor private func hold(_ law: SynthesisProviderLaw) async throws {
    let provider = try await make()
    switch law {
    case .speaks: try await speaks(provider)
    case .endsWhatItBegins: try await endsWhatItBegins(provider)
    case .refusesNothing: try await refusesNothing(provider)
    case .stops: try await stops(provider)
    case .isCalmAtRest: try await isCalmAtRest(provider)
    case .pauses: try await pauses(provider)
    case .obeysCancellation: try await obeysCancellation(provider)
    case .tellsAllListeners: try await tellsAllListeners(provider)
    case .survivesCrowds: try await survivesCrowds(provider)
    case .isLetGo: try await isLetGo()
    }
  }

  private var long: String { Array(repeating: text, count: 12).joined(separator: " ") }

  // MARK: - The laws

  @MainActor private func speaks(_ provider: any SpeechSynthesisProvider) async throws {
    let log = EventLog(provider.events)
    try await provider.speak(text: text, voice: nil)
    try require(!provider.isPlaying && !provider.isPaused, "it has spoken and still plays")
    let events = await log.untilCompleted()
    try require(events.first == .started, "the first event is \(String(describing: events.first))")
    try require(events.last == .completed, "the last event is \(String(describing: events.last))")
  }

  @MainActor private func endsWhatItBegins(_ provider: any SpeechSynthesisProvider) async throws {
    let log = EventLog(provider.events)
    for round in 0..<12 {
      let speaking = Task {
        try? await provider.speak(text: round % 2 == 0 ? long : text, voice: nil)
      }
      for _ in 0..<round { await Task.yield() }
      switch round % 4 {
      case 0: provider.stop()
      case 1:
        provider.pause()
        provider.resume()
      case 2:
        provider.pause()
        provider.stop()
      default: speaking.cancel()
      }
      await speaking.value
    }
    try await provider.speak(text: text, voice: nil)
    let events = await log.untilCompleted()
    var isOpen = false
    for event in events {
      switch event {
      case .started:
        try require(!isOpen, "something is started before the one before it ended: \(events)")
        isOpen = true
      case .completed:
        try require(isOpen, "something is completed that was not started: \(events)")
        isOpen = false
      // Speech that fails before its first audio was never started.
      case .failed: isOpen = false
      default: break
      }
    }
    try require(!isOpen, "something was started and never ended: \(events)")
  }

  @MainActor private func refusesNothing(_ provider: any SpeechSynthesisProvider) async throws {
    for nothing in ["", " \n\t "] {
      let error = await failure { try await provider.speak(text: nothing, voice: nil) }
      try require(
        error as? SpeechSynthesisProviderError == .invalidText,
        "nothing to say is \(String(describing: error))")
    }
    try require(!provider.isPlaying, "it plays nothing")
  }

  @MainActor private func stops(_ provider: any SpeechSynthesisProvider) async throws {
    for _ in 0..<3 {
      let started = Self.start(of: provider.events)
      let speaking = Task { try await provider.speak(text: long, voice: nil) }
      await started.value
      // It may be over already in virtual time, or with a voice that needs none.
      let isUnderWay = provider.isPlaying
      provider.stop()
      let outcome = try await ended(speaking, "stopped")
      try require(!provider.isPlaying && !provider.isPaused, "it was stopped and still plays")
      if isUnderWay, case .failure(let error) = outcome {
        try require(
          error as? SpeechSynthesisProviderError == .cancelled,
          "what was stopped ends with \(error)")
      } else {
        try require(!isUnderWay, "what was stopped ends as if all had been heard")
      }
    }
    try await provider.speak(text: text, voice: nil)
  }

  @MainActor private func isCalmAtRest(_ provider: any SpeechSynthesisProvider) async throws {
    let log = EventLog(provider.events)
    for _ in 0..<2 {
      provider.stop()
      provider.pause()
      provider.resume()
    }
    try require(!provider.isPlaying && !provider.isPaused, "at rest it plays or is paused")
    try await provider.speak(text: text, voice: nil)
    let events = await log.untilCompleted()
    try require(events.first == .started, "at rest it reported \(events)")
  }

  @MainActor private func pauses(_ provider: any SpeechSynthesisProvider) async throws {
    guard provider.capabilities.isSuperset(of: [.pause, .resume]) else { return }
    let started = Self.start(of: provider.events)
    let speaking = Task { try await provider.speak(text: long, voice: nil) }
    await started.value
    if provider.isPlaying {
      provider.pause()
      try require(provider.isPaused && !provider.isPlaying, "it was paused, and does not say so")
      provider.resume()
      try require(!provider.isPaused, "it was resumed, and says that it is paused")
    }
    provider.resume()
    if case .failure(let error) = try await ended(speaking, "resumed") {
      throw ConformanceObjection("what was paused and resumed ends with \(error)")
    }
  }

  @MainActor private func obeysCancellation(_ provider: any SpeechSynthesisProvider) async throws {
    for yields in 0..<4 {
      let speaking = Task { try await provider.speak(text: long, voice: nil) }
      for _ in 0..<(yields * 3) { await Task.yield() }
      speaking.cancel()
      if case .failure(let error) = try await ended(speaking, "cancelled") {
        try require(
          error is CancellationError || error as? SpeechSynthesisProviderError == .cancelled,
          "what was cancelled ends with \(error)")
      }
      try require(!provider.isPlaying, "its task was cancelled, and it plays")
    }
    try await provider.speak(text: text, voice: nil)
  }

  @MainActor private func tellsAllListeners(_ provider: any SpeechSynthesisProvider) async throws {
    let logs = (0..<3).map { _ in EventLog(provider.events) }
    try await provider.speak(text: text, voice: nil)
    var all: [[SpeechSynthesisEvent]] = []
    for log in logs {
      all.append(await log.untilCompleted())
    }
    try require(all.allSatisfy { $0 == all[0] }, "the listeners heard \(all)")
  }

  @MainActor private func survivesCrowds(_ provider: any SpeechSynthesisProvider) async throws {
    let tasks = (0..<8).map { _ in Task { try await provider.speak(text: text, voice: nil) } }
    for task in tasks {
      if case .failure(let error) = try await ended(task, "spoken beside others") {
        try require(
          error as? SpeechSynthesisProviderError == .cancelled,
          "one of many texts ends with \(error)")
      }
    }
    try require(!provider.isPlaying, "all have ended, and it plays")
    try await provider.speak(text: text, voice: nil)
  }

  @MainActor private func isLetGo() async throws {
    weak var held: (any SpeechSynthesisProvider)?
    do {
      let provider = try await make()
      held = provider
      try await provider.speak(text: text, voice: nil)
    }
    try await requireRelease { held }
  }

  // MARK: - Tools

  @MainActor private func failure(_ work: () async throws -> Void) async -> (any Error)? {
    do {
      try await work()
      return nil
    } catch {
      return error
    }
  }

  /// Returns how a task ended, which has to be soon.
  @MainActor private func ended(
    _ task: Task<Void, any Error>, _ what: String
  ) async throws -> Result<Void, any Error> {
    guard let result = try await ConformanceTimeout.wait(for: { await task.result }) else {
      throw ConformanceObjection("what was \(what) is not over after a minute")
    }
    return result
  }

  /// Completes when something starts.
  @MainActor private static func start(of events: AsyncStream<SpeechSynthesisEvent>) -> Task<
    Void, Never
  > {
    Task { for await event in events where event == .started { return } }
  }
}

/// Collects events.
@MainActor
private final class EventLog {
  private var events: [SpeechSynthesisEvent] = []
  private var task: Task<Void, Never>?

  init(_ stream: AsyncStream<SpeechSynthesisEvent>) {
    task = Task { [weak self] in for await event in stream { self?.events.append(event) } }
  }

  deinit { task?.cancel() }

  /// Returns the events up to a `completed`.
  func untilCompleted() async -> [SpeechSynthesisEvent] {
    let end = ContinuousClock.now + .seconds(10)
    while events.last != .completed, ContinuousClock.now < end { await Task.yield() }
    return events
  }
}
