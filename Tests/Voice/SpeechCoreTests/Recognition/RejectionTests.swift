import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@MainActor
struct RejectionTests {
  let locale = Locale(identifier: "en-US")

  /// Short bursts, which are rejected, and a long one between them.
  private static let script = AudioScript().withNoise(level: -65)
    .saying(.buzz(.seconds(1)), at: .seconds(1))
    .saying(.buzz(.seconds(2)), at: .seconds(4))
    .saying(.buzz(.seconds(1)), at: .seconds(8)).ending(at: .seconds(11))

  private func provider(
    _ script: AudioScript = script, _ beforeFinish: @escaping @Sendable () async -> Void = {}
  ) -> DecoderRecognitionProvider<LoudnessDecoder> {
    DecoderRecognitionProvider(
      configuration: .init(acceptsFrom: 24_000, beforeFinish: beforeFinish),
      input: ScriptedMicrophone(script))
  }

  // MARK: - Provider

  @Test func `a rejected utterance is an event with its audio, not a final result`() async throws {
    let provider = provider()
    let (results, rejections) = (provider.results, provider.rejections)
    try await provider.startListening(locale: locale)
    let rejected = await rejections.collected()
    let all = await results.collected()
    let finals = all.filter(\.isFinal)
    #expect(finals.count == 1)
    #expect(rejected.count == 2)
    for (utterance, start) in zip(rejected, [1.0, 8]) {
      let word = try #require(utterance.nearest.words.first)
      #expect(abs(word.start - start) < 0.05)
      #expect(utterance.start <= word.start && word.end <= utterance.end)
      #expect(utterance.nearest.text == "sound")
      #expect(utterance.nearest.confidence == 0.9)
      // Its audio is at its times.
      let first = utterance.audio.samples.firstIndex { $0.magnitude > 1_000 } ?? 0
      #expect(abs(utterance.start + Double(first) / 16_000 - start) < 0.05)
    }
    // Each utterance has one end: a final result, or its rejection.
    let ends = finals.map(\.utteranceID) + rejected.map(\.nearest.utteranceID)
    #expect(Set(ends).count == 3)
    #expect(Set(all.map(\.utteranceID)).isSubset(of: ends))
    #expect(provider.partialTranscription.isEmpty)
    #expect(provider.failure == nil)
  }

  @Test func `a rejection after a stop is still reported`() async throws {
    let deciding = Gate()
    let endless = AudioScript().saying(.buzz(.seconds(1)), at: .seconds(1))
    let provider = provider(endless, { await deciding.pass() })
    let (results, rejections) = (provider.results, provider.rejections)
    try await provider.startListening(locale: locale)
    _ = await results.waitFor { !$0.isFinal }
    provider.stopListening()
    // A stream of the next session, which must not receive earlier rejections.
    let next = provider.rejections
    deciding.open()
    let decided = await rejections.collected()
    #expect(decided.count == 1)
    try await provider.startListening(locale: locale)
    provider.stopListening()
    // The audio may still continue, and then be decoded differently.
    let known = decided.map(\.nearest.utteranceID)
    #expect(await !next.collected().contains { known.contains($0.nearest.utteranceID) })
  }

  @Test func `an utterance is rejected once, whenever listening is stopped`() async throws {
    for partials in 1...Endurance.count(full: 30, short: 5) {
      // No end: the script runs until listening is stopped. All of it is rejected.
      let provider = DecoderRecognitionProvider<LoudnessDecoder>(
        configuration: .init(acceptsFrom: .max),
        input: ScriptedMicrophone(AudioScript().saying(.buzz(.seconds(20)), at: .seconds(1))))
      let (results, rejections) = (provider.results, provider.rejections)
      try await provider.startListening(locale: locale)
      var heard = 0
      for await result in results {
        #expect(!result.isFinal)
        heard += 1
        if heard == partials { provider.stopListening() }
      }
      #expect(await rejections.collected().count == 1)
    }
  }

  // MARK: - Engine

  private func utterance(_ text: String) -> RejectedUtterance {
    RejectedUtterance(
      audio: .silence(.milliseconds(100), format: .recognition), start: 0,
      nearest: SpeechRecognitionResult(text: text, isFinal: true, confidence: 0.1))
  }

  @Test func `rejections reach every listener, and a late one those that follow`() async throws {
    let mock = MockSpeechRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: mock)
    let early = (0..<3).map { _ in engine.rejections }
    let results = engine.results
    try await engine.startListening(locale: locale)
    let slow = engine.rejections
    mock.simulateRejection(utterance("one"))
    var iterator = early[0].makeAsyncIterator()
    #expect(await iterator.next()?.nearest.text == "one")
    let late = engine.rejections
    mock.simulateFinalResult("yes")
    mock.simulateRejection(utterance("two"))
    engine.stopListening()
    #expect(await late.collected().map(\.nearest.text) == ["two"])
    #expect(await iterator.next()?.nearest.text == "two")
    #expect(await iterator.next() == nil)
    for stream in early.dropFirst() + [slow] {
      #expect(await stream.collected().map(\.nearest.text) == ["one", "two"])
    }
    #expect(await results.collected().map(\.text) == ["yes"])
    #expect(engine.lastResult?.text == "yes")
  }

  @Test func `each session has its own rejections`() async throws {
    let mock = MockSpeechRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: mock)
    for text in ["one", "two"] {
      let rejections = engine.rejections
      try await engine.startListening(locale: locale)
      mock.simulateRejection(utterance(text))
      engine.stopListening()
      #expect(await rejections.collected().map(\.nearest.text) == [text])
    }
  }

  @Test func `an engine relays the rejections of its provider`() async throws {
    let engine = SpeechRecognitionEngine(provider: provider())
    let (results, rejections) = (engine.results, engine.rejections)
    try await engine.startListening(locale: locale)
    #expect(await rejections.collected().count == 2)
    #expect(await results.collected().filter(\.isFinal).count == 1)
  }

  // MARK: - Files

  @Test func `a transcript contains accepted utterances, and the others are reported`() async throws
  {
    var sound = PCMBuffer(format: .recognition)
    for seconds in [1, 2, 1] {
      sound.append(.silence(.seconds(2), format: .recognition))
      sound.append(.buzz(.seconds(seconds)))
    }
    sound.append(.silence(.seconds(2), format: .recognition))
    var transcriber = SpeechTranscriber<LoudnessDecoder>(
      configuration: .init(acceptsFrom: 24_000))
    let dictation = ReadingDecoder.Configuration()
    transcriber.cascade = RecognitionCascade([.init(dictation)])
    let rejected = Recorder<RejectedUtterance>()
    let transcript = try await transcriber.transcribe(
      AudioFileInput(sound), rejected: { rejected.add($0) })
    #expect(transcript.segments.map(\.text) == ["sound"])
    #expect(rejected.values.map { Int($0.nearest.words[0].start.rounded()) } == [2, 9])
    // No recogniser has been used yet.
    #expect(dictation.log.values.isEmpty)
    let utterance = rejected.values[1]
    let reading = try #require(try await utterance.reading())
    #expect(reading.text == "what was said")
    #expect(reading.isFinal)
    #expect(reading.utteranceID == utterance.nearest.utteranceID)
    #expect(reading.words[0].start == utterance.start + 0.25)
    // The other recogniser gets audio in its own format.
    #expect(dictation.log.values == ["load", "start", "hear 8000", "finish"])
  }
}
