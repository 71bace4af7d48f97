import Foundation
import SpeechAudio
import SpeechCore
import Testing

@MainActor
struct SpeechSynthesisEngineTests {
  let mock = MockSpeechSynthesisProvider()

  @Test func `a mock that completes by itself behaves like a voice`() async throws {
    let engine = SpeechSynthesisEngine(provider: mock)
    let events = engine.events
    try await engine.speak(text: "Hello", voice: "Anna")
    #expect(mock.speakCallCount == 1)
    #expect(mock.lastSpokenText == "Hello")
    #expect(mock.lastRequestedVoice == "Anna")
    #expect(await events.prefix(2).collected() == [.started, .completed])
    #expect(engine.error == nil)
  }

  @Test func `the test decides when speech completes`() async throws {
    mock.autoComplete = false
    let engine = SpeechSynthesisEngine(provider: mock)
    let speech = Task { try await engine.speak(text: "Hello") }
    await Task.yield()
    #expect(engine.isPlaying)
    mock.simulateProgress(0.5)
    mock.simulateCompletion()
    try await speech.value
    #expect(!engine.isPlaying)
  }

  @Test func `an empty text is invalid`() async {
    let engine = SpeechSynthesisEngine(provider: mock)
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      try await engine.speak(text: "")
    }
    #expect(engine.error == .invalidText)
    #expect(mock.speakCallCount == 0)
  }

  @Test func `a pause is not forwarded to a provider without that capability`() async throws {
    mock.mockCapabilities = [.offline]
    let engine = SpeechSynthesisEngine(provider: mock)
    engine.pause()
    engine.resume()
    #expect(mock.pauseCallCount == 0)
    #expect(mock.resumeCallCount == 0)
    mock.mockCapabilities = [.pause, .resume]
    engine.pause()
    engine.resume()
    #expect(mock.pauseCallCount == 1)
    #expect(mock.resumeCallCount == 1)
  }

  @Test func `a simulated error ends the speech and is shown by the engine`() async {
    mock.autoComplete = false
    let engine = SpeechSynthesisEngine(provider: mock)
    let events = engine.events
    let speech = Task { try await engine.speak(text: "Hello") }
    await Task.yield()
    mock.simulateError(.playbackFailed("No device."))
    await #expect(throws: SpeechSynthesisProviderError.playbackFailed("No device.")) {
      try await speech.value
    }
    #expect(engine.error == .playbackFailed("No device."))
    #expect(await events.waitFor { $0 == .failed(.playbackFailed("No device.")) } != nil)
  }

  @Test func `reset clears everything`() async throws {
    try await mock.speak(text: "Hello", voice: "Anna")
    mock.speakError = .cancelled
    mock.reset()
    #expect(mock.speakCallCount == 0)
    #expect(mock.lastSpokenText == nil)
    #expect(mock.lastRequestedVoice == nil)
    #expect(mock.speakError == nil)
  }

  @Test func `the fallback speaks where the provider fails, but not the next text`()
    async throws
  {
    let second = MockSpeechSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: mock, fallback: second)
    let events = engine.events
    mock.speakError = .networkUnavailable
    try await engine.speak(text: "Hello", voice: "Anna")
    #expect(second.lastSpokenText == "Hello")
    #expect(second.lastRequestedVoice == nil)
    #expect(engine.fallbackReason == .networkUnavailable)
    #expect(await events.prefix(2).collected() == [.started, .completed])
    mock.speakError = nil
    try await engine.speak(text: "Again")
    #expect(mock.lastSpokenText == "Again")
    #expect(second.speakCallCount == 1)
    #expect(engine.fallbackReason == nil)
  }

  @Test(arguments: [SpeechSynthesisProviderError.cancelled, .invalidText])
  func `the fallback is not used for`(error: SpeechSynthesisProviderError) async {
    let second = MockSpeechSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: mock, fallback: second)
    mock.speakError = error
    await #expect(throws: error) { try await engine.speak(text: "Hello") }
    #expect(second.speakCallCount == 0)
  }

  @Test func `an interrupted sentence is repeated by the fallback`() async throws {
    // Without a buffer a word has been heard when the next one is generated.
    let speaker = MemorySpeaker(buffer: .zero)
    let told = Recorder<SpeechPosition>()
    let heardSecondSentence = Gate()
    let first = VoiceSynthesisProvider(
      engine: ToneVoice(),
      configuration: .init(
        failure: SpeechSynthesisProviderError.networkUnavailable, wordsBeforeFailure: 4,
        beforeChunk: { index in if index == 3 { await heardSecondSentence.pass() } }),
      output: speaker)
    let second = MockSpeechSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: first, fallback: second)
    let positions = engine.positions
    let watch = Task {
      for await position in positions {
        told.add(position)
        if position.kind == .sentence, position.textRange.lowerBound == 8 {
          heardSecondSentence.open()
        }
      }
    }
    try await engine.speak(text: "One two Three four five")
    #expect(second.lastSpokenText == "Three four five")
    watch.cancel()
  }

  @Test func `each of two texts in a row has its own beginning and end`() async throws {
    let engine = SpeechSynthesisEngine(provider: mock)
    let events = engine.events
    try await engine.speak(text: "One")
    try await engine.speak(text: "Two")
    #expect(
      await events.prefix(4).collected() == [.started, .completed, .started, .completed])
  }

  @Test func `a cancelled mock does not affect the next text`() async throws {
    mock.autoComplete = false
    let mock = mock
    let first = Task { try await mock.speak(text: "One", voice: nil) }
    while !mock.isPlaying { await Task.yield() }
    first.cancel()
    // Runs after the cancellation is delivered, which in turn runs after the beginning of the next
    // text.
    let completion = Task { mock.simulateCompletion() }
    try await mock.speak(text: "Two", voice: nil)
    await completion.value
    await #expect(throws: SpeechSynthesisProviderError.cancelled) { try await first.value }
  }
}
