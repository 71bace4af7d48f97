import SpeechKit
import Testing

/// The custom providers of the specification, used by the engines.
@MainActor
struct CustomProviderTests {
  private let english = Locale(identifier: "en-US")

  @Test func `results of a custom recogniser reach the engine`() async throws {
    let provider = MyCustomRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: provider)
    try await engine.startListening(locale: english)
    #expect(provider.authorizationStatus == .authorized)
    #expect(engine.isListening)
    let results = engine.results

    provider.emitResult("good", isFinal: false)
    #expect(engine.partialTranscription == "good")
    provider.emitResult("good morning", isFinal: true)
    engine.stopListening()

    #expect(await results.texts() == ["good", "good morning"])
    #expect(engine.lastResult?.confidence == 1)
    #expect(!engine.isListening)
    #expect(engine.error == nil)
  }

  @Test func `a custom recogniser can be started again`() async throws {
    let provider = MyCustomRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: provider)
    for text in ["one", "two", "three"] {
      try await engine.startListening(locale: english)
      let first = engine.results
      let second = engine.results
      provider.emitResult(text, isFinal: true)
      engine.stopListening()
      #expect(await first.texts() == [text])
      #expect(await second.texts() == [text])
    }
  }

  @Test func `a final result of a custom recogniser is kept for a late listener`() async throws {
    let provider = MyCustomRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: provider)
    try await engine.startListening(locale: english)
    provider.emitResult("early", isFinal: true)
    engine.stopListening()
    #expect(await engine.results.texts() == ["early"])
  }

  @Test func `a custom voice speaks and reports its events`() async throws {
    let provider = MyCustomSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: provider)
    let events = engine.events
    try await engine.speak(text: "Hello")
    var seen: [SpeechSynthesisEvent] = []
    for await event in events {
      seen.append(event)
      if event == .completed { break }
    }
    #expect(seen == [.started, .completed])
    #expect(engine.speakerIdentifier == "com.myapp.customsynthesis")
    #expect(engine.capabilities == [.pause, .resume])
  }

  @Test(arguments: ["", " \n\t"])
  func `a custom voice rejects text without a word`(_ text: String) async {
    let provider = MyCustomSynthesisProvider()
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      try await provider.speak(text: text, voice: nil)
    }
    let engine = SpeechSynthesisEngine(provider: provider)
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      try await engine.speak(text: text)
    }
    #expect(engine.error == .invalidText)
  }

  @Test func `stopping a custom voice is reported to the engine's listeners`() async {
    let provider = MyCustomSynthesisProvider()
    let engine = SpeechSynthesisEngine(provider: provider)
    let events = engine.events
    engine.stop()
    for await event in events {
      #expect(event == .failed(.cancelled))
      break
    }
  }
}
