import Foundation
import SpeechKit
import TestSupport
import Testing

/// Real speech through the real recogniser, from the microphone to the engine's results.
@MainActor
struct HearingTests {
  private func engine(
    _ script: AudioScript, search: PocketSphinxSearch = .grammar(Phrases.grammar)
  ) -> SpeechRecognitionEngine {
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: search),
      input: ScriptedMicrophone(script))
    return SpeechRecognitionEngine(provider: provider)
  }

  @Test(.enabled(if: Phrases.areInstalled, .init(rawValue: Phrases.reason)))
  func `recorded phrases are recognised, and their words have the right times`() async throws {
    // Minutes of a room with a phrase now and then: what is lost of the time in between would show.
    var script = AudioScript().withNoise(level: -60)
    var expected: [(words: String, start: TimeInterval, end: TimeInterval)] = []
    for (index, phrase) in Phrases.all.enumerated() {
      let sound = try Phrases.recording(phrase.0)
      let start = 3.0 + Double(index) * 17.3
      script = script.saying(sound, at: .seconds(start))
      expected.append((phrase.1, start, start + Double(sound.frameCount) / 16_000))
    }
    let engine = engine(script.ending(at: .seconds(150)))
    let results = engine.results
    try await engine.startListening(locale: Phrases.english)
    var finals: [SpeechRecognitionResult] = []
    for await result in results where result.isFinal { finals.append(result) }
    #expect(finals.map(\.text) == expected.map(\.words))
    guard finals.count == expected.count else { return }
    for (final, expected) in zip(finals, expected) {
      let first = try #require(final.words.first)
      let last = try #require(final.words.last)
      // What is quieter than the threshold above is cut off, so that words may well begin earlier.
      #expect(abs(first.start - expected.start) < 0.1, "\(final.text) \(first.start)")
      #expect(abs(last.end - expected.end) < 0.15, "\(final.text) \(last.end)")
      #expect(final.confidence > 0.5)
    }
  }

  #if Espeak
  @Test func `the recogniser understands eSpeak NG, which is digitally silent between words`()
    async throws
  {
    let sentences = [
      "can i have a small latte", "could i have a large americano", "no thank you", "yes please",
      "i would like a medium mocha please", "good morning a cappuccino please",
      "with soy milk please", "no make it large", "thank you very much", "large please",
      "hello can i get a black coffee", "give me a tea with whole milk",
    ]
    let grammar = ProjectFolder.root.appending(path: "models/demo.gram")
    let session = RecognitionSession<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(search: .grammarFile(grammar)),
      locale: Phrases.english)
    let voice = EspeakEngine()
    var missed: [String] = []
    for sentence in sentences {
      let sound = try await voice.render(
        voice.makeRequest(text: sentence, voiceId: "en-us"), configuration: .default)
      let heard = try await session.decode(try sound.resampled(to: .recognition))?.text ?? "nothing"
      if heard != sentence { missed.append("\(sentence): \(heard)") }
    }
    // Three were right when the silence was decoded as it is.
    #expect(missed.count <= 3, "\(missed)")
  }
  #endif

  @Test func `words that no dictionary has are recognised, and others are added while it listens`()
    async throws
  {
    let voice = FliteEngine()
    func saying(_ text: String) async throws -> PCMBuffer {
      try await voice.render(
        voice.makeRequest(text: text, voiceId: "slt"), configuration: .default
      ).resampled(to: .recognition)
    }
    let script = AudioScript().withNoise(level: -60)
      .saying(try await saying("open kubernetes"), at: .seconds(1))
      .saying(try await saying("open the pod bay"), at: .seconds(4)).ending(at: .seconds(7))
    let grammar =
      "#JSGF V1.0; grammar g; public <a> = open (Kubernetes | Grafana | 3D | PostgreSQL | frobnicator);"
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: .grammar(grammar), userDictionary: .off),
      input: ScriptedMicrophone(script))
    let taught = try await provider.add(
      "frobnicator", pronunciations: [["DH", "AH", "P", "AA", "D", "B", "EY"]],
      locale: Phrases.english)
    #expect(taught.pronunciations.map(\.text).contains("DH AH P AA D B EY"))
    let results = provider.results
    try await provider.startListening(locale: Phrases.english)
    var finals: [String] = []
    for await result in results where result.isFinal { finals.append(result.text) }
    #expect(finals == ["open Kubernetes", "open frobnicator"])
    #expect(provider.failure == nil)
  }

  @Test(.enabled(if: Phrases.areInstalled, .init(rawValue: Phrases.reason)))
  func `a phrase has the same times at the start of a file and after minutes of silence`()
    async throws
  {
    let sound = try Phrases.recording("Rear_Center")
    let transcriber = SpeechTranscriber<PocketSphinxDecoder>(
      configuration: PocketSphinxConfiguration(search: .grammar(Phrases.grammar)))
    var audio = PCMBuffer.silence(.seconds(1), format: .recognition)
    audio.append(sound)
    audio.append(.silence(.seconds(200), format: .recognition))
    let second = audio.duration
    audio.append(sound)
    audio.append(.silence(.seconds(1), format: .recognition))
    let transcript = try await transcriber.transcribe(audio)
    #expect(transcript.segments.map(\.text) == ["rear center", "rear center"])
    guard transcript.words.count == 4 else { return }
    let shift =
      Double(second.components.seconds) - 1
      + Double(second.components.attoseconds) * 1e-18
    for index in 0..<2 {
      let (early, late) = (transcript.words[index], transcript.words[index + 2])
      #expect(abs(late.start - early.start - shift) < 0.05)
      #expect(abs(late.end - early.end - shift) < 0.05)
    }
  }

  @Test func `the phrases of a voice are recognised`() async throws {
    let lines = ["rear left", "front center", "side right"]
    var script = AudioScript()
    for (index, line) in lines.enumerated() {
      script = script.saying(
        try await Phrases.flite(line), at: .seconds(1) + .seconds(4) * index)
    }
    let engine = engine(script.ending(at: .seconds(14)))
    let results = engine.results
    try await engine.startListening(locale: Phrases.english)
    var heard: [String] = []
    for await result in results where result.isFinal { heard.append(result.text) }
    #expect(heard == lines)
    #expect(engine.error == nil)
    #expect(engine.lastResult?.text == "side right")
  }

  @Test func `the same script gives the same results each time`() async throws {
    let script = AudioScript().withNoise(level: -50)
      .saying(try await Phrases.flite("rear left"), at: .seconds(1)).ending(at: .seconds(5))
    var runs: [[SpeechRecognitionResult]] = []
    for _ in 0..<3 {
      let engine = engine(script)
      let results = engine.results
      try await engine.startListening(locale: Phrases.english)
      var run: [SpeechRecognitionResult] = []
      for await result in results { run.append(result) }
      runs.append(run)
    }
    #expect(runs[0].last?.text == "rear left")
    #expect(runs.allSatisfy { $0.map(\.text) == runs[0].map(\.text) })
    #expect(runs.allSatisfy { $0.map(\.words) == runs[0].map(\.words) })
  }

  @Test func `a language without a model reports what is missing`() async throws {
    let engine = engine(AudioScript())
    await #expect(throws: SpeechRecognitionError.self) {
      try await engine.startListening(locale: Locale(identifier: "tlh"))
    }
    #expect(engine.error?.localizedDescription.contains("tlh") == true)
  }

  @Test func `dictation recognises read sentences and reports partial results`() async throws {
    let line = try await Phrases.flite("good morning how are you today", voice: "slt")
    let engine = engine(
      AudioScript().saying(line, at: .seconds(1)).ending(at: .seconds(6)), search: .dictation)
    let results = engine.results
    try await engine.startListening(locale: Phrases.english)
    var all: [SpeechRecognitionResult] = []
    for await result in results { all.append(result) }
    #expect(all.contains { !$0.isFinal })
    let final = try #require(all.last)
    #expect(final.isFinal)
    #expect(final.text.contains("good morning"))
    #expect(final.words.count == final.text.split(separator: " ").count)
  }
}
