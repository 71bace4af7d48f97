import Foundation
import SpeechAudio
import SpeechCore
import Testing

@MainActor
struct SpeechRecognitionEngineTests {
  let mock = MockSpeechRecognitionProvider()
  let locale = Locale(identifier: "en-US")

  /// An engine that listens through a microphone.
  private func engine(
    _ input: any AudioInput, _ configuration: LoudnessDecoder.Configuration = .init()
  ) -> SpeechRecognitionEngine {
    SpeechRecognitionEngine(
      provider: DecoderRecognitionProvider<LoudnessDecoder>(
        configuration: configuration, input: input))
  }

  @Test func `the engine shows a partial result at once`() async throws {
    let engine = SpeechRecognitionEngine(provider: mock)
    try await engine.startListening(locale: locale)
    mock.simulatePartialResult("Hello")
    #expect(engine.partialTranscription == "Hello")
    #expect(engine.isListening)
  }

  @Test func `results reach every listener and the streams finish with the listening`()
    async throws
  {
    let engine = SpeechRecognitionEngine(provider: mock)
    let streams = (0..<3).map { _ in engine.results }
    try await engine.startListening(locale: locale)
    mock.simulatePartialResult("Hello")
    mock.simulateFinalResult("Hello, world!", confidence: 0.8)
    engine.stopListening()
    for stream in streams {
      let results = await stream.collected()
      #expect(results.map(\.text) == ["Hello", "Hello, world!"])
      #expect(results.map(\.isFinal) == [false, true])
      #expect(results.last?.confidence == 0.8)
      #expect(Set(results.map(\.utteranceID)).count == 1)
    }
    #expect(engine.lastResult?.text == "Hello, world!")
    #expect(!engine.isListening)
  }

  @Test func `a late listener misses nothing from then on, a slow one nothing at all`()
    async throws
  {
    let engine = SpeechRecognitionEngine(provider: mock)
    try await engine.startListening(locale: locale)
    let slow = engine.results
    let quick = engine.results
    mock.simulateFinalResult("one")
    var iterator = quick.makeAsyncIterator()
    #expect(await iterator.next()?.text == "one")
    let late = engine.results
    mock.simulateFinalResult("two")
    engine.stopListening()
    #expect(await late.collected().map(\.text) == ["two"])
    #expect(await slow.collected().map(\.text) == ["one", "two"])
  }

  @Test func `final results without a listener are kept for the first one`() async throws {
    let engine = SpeechRecognitionEngine(provider: mock)
    try await engine.startListening(locale: locale)
    for number in 0..<10 { mock.simulateFinalResult("\(number)") }
    engine.stopListening()
    #expect(await engine.results.collected().map(\.text) == (0..<10).map(String.init))
  }

  @Test func `starting again after stopping works on the same engine`() async throws {
    let engine = SpeechRecognitionEngine(provider: mock)
    for round in 0..<3 {
      let results = engine.results
      try await engine.startListening(locale: locale)
      mock.simulateFinalResult("round \(round)")
      engine.stopListening()
      #expect(await results.collected().map(\.text) == ["round \(round)"])
    }
    #expect(mock.startListeningCallCount == 3)
    #expect(mock.stopListeningCallCount == 3)
    #expect(mock.lastRequestedLocale == locale)
  }

  @Test func `permission is requested once, and a refusal is an error`() async throws {
    mock.authorizationStatusToReturn = .denied
    let engine = SpeechRecognitionEngine(provider: mock)
    await #expect(throws: SpeechRecognitionError.notAuthorized) {
      try await engine.startListening(locale: locale)
    }
    #expect(engine.error == .notAuthorized)
    #expect(mock.startListeningCallCount == 0)
    mock.authorizationStatus = .authorized
    try await engine.startListening(locale: locale)
    #expect(engine.error == nil)
    #expect(mock.requestAuthorizationCallCount == 1)
  }

  @Test func `an error when starting is thrown and shown`() async {
    mock.startListeningError = .audioEngineError("No microphone.")
    let engine = SpeechRecognitionEngine(provider: mock)
    let results = engine.results
    await #expect(throws: SpeechRecognitionError.audioEngineError("No microphone.")) {
      try await engine.startListening(locale: locale)
    }
    #expect(engine.error == .audioEngineError("No microphone."))
    #expect(await results.collected().isEmpty)
    mock.startListeningError = nil
    await #expect(throws: Never.self) { try await engine.startListening(locale: locale) }
    #expect(engine.error == nil)
  }

  @Test func `a simulated error is shown and ends listening`() async throws {
    let engine = SpeechRecognitionEngine(provider: mock)
    let results = engine.results
    try await engine.startListening(locale: locale)
    mock.simulateFinalResult("before")
    mock.simulateError(.recognitionFailed("The model broke."))
    #expect(engine.error == .recognitionFailed("The model broke."))
    #expect(!engine.isListening)
    #expect(await results.collected().map(\.text) == ["before"])
  }

  @Test func `a released engine ends its streams`() async throws {
    var engine: SpeechRecognitionEngine? = SpeechRecognitionEngine(provider: mock)
    try await engine?.startListening(locale: locale)
    let results = try #require(engine?.results)
    engine = nil
    mock.simulateFinalResult("unheard")
    mock.stopListening()
    _ = await results.collected()
  }

  @Test func `the mock's reset clears everything`() async throws {
    try await mock.startListening(locale: locale)
    mock.simulatePartialResult("x")
    mock.reset()
    #expect(!mock.isListening)
    #expect(mock.partialTranscription.isEmpty)
    #expect(mock.startListeningCallCount == 0)
    #expect(mock.lastRequestedLocale == nil)
  }

  @Test func `two starts at once are one, and each result comes once`() async throws {
    let asked = Gate()
    let answer = Gate()
    let microphone = ScriptedMicrophone(playing: .buzz(.seconds(1)))
    let engine = engine(GatedMicrophone(asked: asked, answer: answer, microphone: microphone))
    let results = engine.results
    let first = Task { try await engine.startListening(locale: locale) }
    await asked.pass()
    let second = Task { try await engine.startListening(locale: locale) }
    for _ in 0..<10 { await Task.yield() }
    answer.open()
    try await first.value
    try await second.value
    #expect(await results.collected().filter(\.isFinal).count == 1)
  }

  @Test func `a stop during the request for permission is obeyed, and a new start works`()
    async throws
  {
    let asked = Gate()
    let answer = Gate()
    let engine = engine(GatedMicrophone(asked: asked, answer: answer))
    let first = Task { try await engine.startListening(locale: locale) }
    await asked.pass()
    engine.stopListening()
    let second = Task { try await engine.startListening(locale: locale) }
    answer.open()
    await #expect(throws: SpeechRecognitionError.cancelled) { try await first.value }
    try await second.value
    #expect(engine.isListening)
    #expect(engine.error == nil)
    engine.stopListening()
  }

  @Test func `after a refusal the next start requests permission again`() async throws {
    mock.authorizationStatusToReturn = .restricted
    let engine = SpeechRecognitionEngine(provider: mock)
    await #expect(throws: SpeechRecognitionError.notAuthorized) {
      try await engine.startListening(locale: locale)
    }
    mock.authorizationStatusToReturn = .authorized
    try await engine.startListening(locale: locale)
    #expect(engine.isListening)
  }

  @Test func `a start right after a stop hears the new session, and the old one ends its own`()
    async throws
  {
    let decoding = Gate()
    let microphone = ScriptedMicrophone(
      AudioScript().withNoise(level: -65).saying(.buzz(.seconds(1)), at: .seconds(1))
        .saying(.buzz(.seconds(1)), at: .seconds(4)).ending(at: .seconds(6)))
    let engine = engine(microphone, .init(beforeFinish: { await decoding.pass() }))
    let (early, old) = (engine.results, engine.results)
    try await engine.startListening(locale: locale)
    for await result in early {
      #expect(!result.isFinal)
      break
    }
    engine.stopListening()
    // The last words of the old session are still being decoded when the new one is requested.
    let late = engine.results
    let start = Task { try await engine.startListening(locale: locale) }
    for _ in 0..<10 { await Task.yield() }
    decoding.open()
    try await start.value
    let new = await late.collected().filter(\.isFinal).map(\.utteranceID)
    let last = await old.collected().filter(\.isFinal).map(\.utteranceID)
    #expect(last.count == 1)
    // The part of the first word in the new session depends on the time of the stop.
    #expect(!new.isEmpty)
    #expect(Set(new).isDisjoint(with: last))
  }
}

/// A microphone whose permission is granted by the test.
private struct GatedMicrophone: AudioInput {
  let name = "gated"
  let asked: Gate
  let answer: Gate
  var microphone = ScriptedMicrophone()

  func checkAvailability() async throws {
    asked.open()
    await answer.pass()
  }

  func open() async throws -> any AudioCapture { try await microphone.open() }
}
