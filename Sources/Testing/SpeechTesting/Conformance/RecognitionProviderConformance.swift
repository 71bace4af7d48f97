import ConformanceTesting

/// The laws that every recognition provider keeps.
public enum RecognitionProviderLaw: String, Sendable, CaseIterable {
  /// Listening starts and stops on request, and the state shows it.
  case startsAndStops
  /// Speech gives a final result, after partial results of the same utterance.
  case delivers
  /// All listeners receive the same results.
  case tellsAllListeners
  /// The streams end when listening does.
  case endsItsStreams
  /// Starting twice, stopping twice and stopping before starting are harmless.
  case survivesRepetition
  /// It can be started again after stopping, and works.
  case startsAgain
  /// A listener that goes away does not affect the others.
  case survivesLeavingListeners
  /// Many quick starts and stops end in the idle state, and it works afterwards.
  case survivesHaste
  /// It is deallocated when its last owner releases it.
  case isLetGo
}

/// Tests whether a recogniser keeps the laws of `SpeechRecognitionProvider`.
///
/// ```swift
/// try await RecognitionProviderConformance {
///   let microphone = ScriptedMicrophone()
///   return .init(MyProvider(input: microphone)) { microphone.say(speech) }
/// }.run()
/// ```
public struct RecognitionProviderConformance: ConformanceSuite {
  /// A recogniser under test, with the means to speak to it.
  @MainActor public struct Candidate {
    /// The recogniser under test.
    public var provider: any SpeechRecognitionProvider
    /// Plays an utterance that the recogniser understands. Called while it listens.
    public var speak: @MainActor () async throws -> Void

    /// Creates a candidate from a recogniser and the means to speak to it.
    public init(
      _ provider: any SpeechRecognitionProvider, speak: @escaping @MainActor () async throws -> Void
    ) {
      self.provider = provider
      self.speak = speak
    }
  }

  private let locale: Locale
  private let make: @MainActor @Sendable () async throws -> Candidate

  /// Creates a suite for candidates. The closure makes a new one for each law.
  public init(
    locale: Locale = Locale(identifier: "en-US"),
    make: @escaping @MainActor @Sendable () async throws -> Candidate
  ) {
    self.locale = locale
    self.make = make
  }

  /// Returns the reason why the recogniser breaks a law; `nil` if it keeps it.
  public func objection(to law: RecognitionProviderLaw) async throws -> String? {
    try await objection(to: law) { try await hold(law) }
  }

  @MainActor private func hold(_ law: RecognitionProviderLaw) async throws {
    let candidate = try await make()
    switch law {
    case .startsAndStops: try await startsAndStops(candidate)
    case .delivers: try await delivers(candidate)
    case .tellsAllListeners: try await tellsAllListeners(candidate)
    case .endsItsStreams: try await endsItsStreams(candidate)
    case .survivesRepetition: try await survivesRepetition(candidate)
    case .startsAgain: try await startsAgain(candidate)
    case .survivesLeavingListeners: try await survivesLeavingListeners(candidate)
    case .survivesHaste: try await survivesHaste(candidate)
    case .isLetGo: try await isLetGo()
    }
  }

  // MARK: - The laws

  @MainActor private func startsAndStops(_ candidate: Candidate) async throws {
    let provider = candidate.provider
    try require(!provider.isListening, "it listens before it was started")
    let status = await provider.requestAuthorization()
    try require(
      status == provider.authorizationStatus, "it says \(status) and shows another status")
    try await provider.startListening(locale: locale)
    try require(provider.isListening, "it was started and does not listen")
    let results = provider.results
    provider.stopListening()
    _ = try await rest(of: results)
    try require(!provider.isListening, "it was stopped and listens")
    try require(provider.failure == nil, "it failed: \(String(describing: provider.failure))")
  }

  @MainActor private func delivers(_ candidate: Candidate) async throws {
    let results = try await hear(candidate)
    guard let last = results.last(where: \.isFinal) else {
      throw ConformanceObjection("what was said has no final result")
    }
    try require(!last.text.isEmpty, "the final result has no text")
    try require((0...1).contains(last.confidence), "the confidence is \(last.confidence)")
    let place = results.firstIndex { $0.isFinal && $0.utteranceID == last.utteranceID } ?? 0
    try require(
      results[(place + 1)...].allSatisfy { $0.utteranceID != last.utteranceID },
      "there are results of the utterance after the final one")
    try require(
      candidate.provider.partialTranscription.isEmpty,
      "a partial result is left after the final one")
  }

  @MainActor private func tellsAllListeners(_ candidate: Candidate) async throws {
    try await candidate.provider.startListening(locale: locale)
    let streams = (0..<3).map { _ in candidate.provider.results }
    let listeners = streams.map { stream in Task { await Self.all(of: stream) } }
    try await finish(candidate)
    var heard: [[SpeechRecognitionResult]] = []
    for listener in listeners { heard.append(await listener.value) }
    try require(heard[0].contains(where: \.isFinal), "no listener received a final result")
    try require(
      heard.allSatisfy { $0 == heard[0] }, "the listeners heard \(heard.map(\.count)) results")
  }

  @MainActor private func endsItsStreams(_ candidate: Candidate) async throws {
    try await candidate.provider.startListening(locale: locale)
    let (results, rejections) = (candidate.provider.results, candidate.provider.rejections)
    candidate.provider.stopListening()
    _ = try await rest(of: results)
    let ended = try await ConformanceTimeout.wait {
      for await _ in rejections {}
      return true
    }
    try require(ended == true, "the rejections do not end with listening")
  }

  @MainActor private func survivesRepetition(_ candidate: Candidate) async throws {
    candidate.provider.stopListening()
    candidate.provider.stopListening()
    try await candidate.provider.startListening(locale: locale)
    try await candidate.provider.startListening(locale: locale)
    try require(candidate.provider.isListening, "it was started twice and does not listen")
    let results = candidate.provider.results
    candidate.provider.stopListening()
    candidate.provider.stopListening()
    _ = try await rest(of: results)
    try require(!candidate.provider.isListening, "it was stopped twice and listens")
  }

  @MainActor private func startsAgain(_ candidate: Candidate) async throws {
    for time in 1...3 {
      let results = try await hear(candidate)
      try require(
        results.contains(where: \.isFinal), "at the start number \(time) it hears nothing")
    }
  }

  @MainActor private func survivesLeavingListeners(_ candidate: Candidate) async throws {
    try await candidate.provider.startListening(locale: locale)
    let leaving = Task { [stream = candidate.provider.results] in for await _ in stream {} }
    let staying = candidate.provider.results
    let listener = Task { await Self.all(of: staying) }
    leaving.cancel()
    await leaving.value
    try await finish(candidate)
    try require(
      await listener.value.contains(where: \.isFinal),
      "one listener left, and another hears nothing")
  }

  @MainActor private func survivesHaste(_ candidate: Candidate) async throws {
    let provider = candidate.provider
    for _ in 0..<10 {
      let starting = Task { try? await provider.startListening(locale: locale) }
      await Task.yield()
      provider.stopListening()
      await starting.value
      provider.stopListening()
    }
    let isAtRest = try await ConformanceTimeout.wait { @MainActor in
      while provider.isListening { await Task.yield() }
      return true
    }
    try require(isAtRest == true, "it was stopped and still listens")
    let results = try await hear(candidate)
    try require(results.contains(where: \.isFinal), "after many starts and stops it hears nothing")
  }

  @MainActor private func isLetGo() async throws {
    weak var provider: (any SpeechRecognitionProvider)?
    do {
      let candidate = try await make()
      provider = candidate.provider
      _ = try await hear(candidate)
    }
    try await requireRelease { provider }
  }

  // MARK: - Tools

  private static func all(
    of stream: AsyncStream<SpeechRecognitionResult>
  ) async -> [SpeechRecognitionResult] {
    var all: [SpeechRecognitionResult] = []
    for await result in stream { all.append(result) }
    return all
  }

  /// Starts the recogniser, speaks, stops at the final result, and returns all results.
  @MainActor private func hear(_ candidate: Candidate) async throws -> [SpeechRecognitionResult] {
    try await candidate.provider.startListening(locale: locale)
    let results = candidate.provider.results
    let listening = Task { await Self.all(of: results) }
    try await finish(candidate)
    return await listening.value
  }

  /// Speaks, and stops at the final result.
  @MainActor private func finish(_ candidate: Candidate) async throws {
    let results = candidate.provider.results
    try await candidate.speak()
    let isThere = try await ConformanceTimeout.wait {
      for await result in results where result.isFinal { return true }
      return false
    }
    candidate.provider.stopListening()
    try require(isThere != nil, "there was no final result after a minute")
  }

  private func rest(
    of stream: AsyncStream<SpeechRecognitionResult>
  ) async throws -> [SpeechRecognitionResult] {
    guard let rest = try await ConformanceTimeout.wait(for: { await Self.all(of: stream) }) else {
      throw ConformanceObjection("the results do not end with listening")
    }
    return rest
  }
}
