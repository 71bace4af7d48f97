import SpeechKit
import Testing

/// Runs what the articles and the README show.
@MainActor
struct ArticleTests {
  private let english = Locale(identifier: "en-US")

  // MARK: First words

  @Test func `a recording is transcribed`() async throws {
    let voice = FliteEngine()
    let file = FileManager.default.temporaryDirectory
      .appending(path: "first-words-\(UUID().uuidString).wav")
    defer { try? FileManager.default.removeItem(at: file) }
    let request = voice.makeRequest(text: "The weather is nice today.")
    try await voice.write(request, configuration: .default, to: file)

    let transcript = try await SpeechTranscriber().transcribe(file)
    print(transcript.text)
    try transcript.subRip.write(
      to: file.appendingPathExtension("srt"), atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file.appendingPathExtension("srt")) }

    #expect(transcript.text.contains("weather"))
    #expect(transcript.duration > 1)
  }

  // MARK: Adding a voice

  @Test func `a custom voice speaks through a provider`() async throws {
    let speaker = MemorySpeaker()
    let provider = VoiceSynthesisProvider(
      engine: MorseVoice(), configuration: .init(), output: speaker)
    let engine = SpeechSynthesisEngine(provider: provider)
    try await engine.speak(text: "sos")

    #expect(engine.speakerIdentifier == "com.example.morse")
    // Nine signs of 27 dots with their gaps, and two gaps between letters.
    #expect(speaker.sounds.map(\.audio.duration) == [.milliseconds(60 * (6 + 3 * 3 + 9 + 4))])
  }

  // MARK: Adding a recogniser

  @Test func `a custom decoder listens through a provider`() async throws {
    let voice = MorseVoice()
    let sos = try await voice.render(voice.makeRequest(text: "sos sos"), configuration: .init())

    let blips = SpeechSegmenterConfiguration(preRoll: .seconds(1), minimumSpeech: .milliseconds(40))
    let provider = DecoderRecognitionProvider<MorseDecoder>(
      configuration: .init(), input: ScriptedMicrophone(playing: sos), segmenter: blips)
    let engine = SpeechRecognitionEngine(provider: provider)
    try await engine.startListening(locale: Locale(identifier: "en-US"))
    var heard: [String] = []
    for await result in engine.results where result.isFinal { heard.append(result.text) }

    #expect(heard == ["sos sos"])
  }

  @Test func `a custom decoder transcribes recordings`() async throws {
    let voice = MorseVoice()
    let sound = try await voice.render(
      voice.makeRequest(text: "come quick"), configuration: .init())

    let blips = SpeechSegmenterConfiguration(preRoll: .seconds(1), minimumSpeech: .milliseconds(40))
    let transcriber = SpeechTranscriber<MorseDecoder>(configuration: .init(), segmenter: blips)
    let transcript = try await transcriber.transcribe(sound)

    #expect(transcript.text == "come quick")
  }

  @Test func `a decoder that cannot be loaded reports the reason`() async {
    let provider = DecoderRecognitionProvider<MorseDecoder>(
      configuration: .init(dot: .zero), input: ScriptedMicrophone())
    await #expect(throws: SpeechRecognitionError.self) {
      try await provider.prepare(locale: english)
    }
  }

  // MARK: Testing

  @Test func `the command switches the light on`() async throws {
    let mock = MockSpeechRecognitionProvider()
    let lamp = Lamp(ears: SpeechRecognitionEngine(provider: mock))
    try await lamp.startListening()

    mock.simulatePartialResult("light")
    mock.simulateFinalResult("light on", confidence: 0.9)
    mock.stopListening()
    await lamp.obey()

    #expect(lamp.isOn)
  }

  @Test func `a failure ends listening, and the engine shows it`() async throws {
    let mock = MockSpeechRecognitionProvider()
    let engine = SpeechRecognitionEngine(provider: mock)
    try await engine.startListening(locale: english)
    mock.simulateError(.audioEngineError("The microphone was unplugged."))
    #expect(!engine.isListening)
    #expect(engine.error == .audioEngineError("The microphone was unplugged."))
  }

  @Test func `a spoken command is recognised in a noisy room`() async throws {
    let voice = FliteEngine()
    let order = try await voice.render(
      voice.makeRequest(text: "light on"), configuration: .default)
    let script = AudioScript()
      .saying(try order.resampled(to: .recognition), at: .seconds(3))
      .withNoise(level: -55)
      .ending(at: .seconds(8))

    let grammar = "#JSGF V1.0; grammar lamp; public <order> = light ( on | off );"
    let provider = PocketSphinxRecognitionProvider(
      configuration: PocketSphinxConfiguration(search: .grammar(grammar)),
      input: ScriptedMicrophone(script, clock: VirtualClock()))
    let lamp = Lamp(ears: SpeechRecognitionEngine(provider: provider))
    try await lamp.startListening()
    await lamp.obey()

    #expect(lamp.isOn)
    let word = try #require(lamp.ears.lastResult?.words.first)
    // The voice takes a breath of two tenths of a second before it speaks.
    #expect((3...3.4).contains(word.start))
  }

  @Test func `a memory speaker keeps the audio with its times`() async throws {
    let clock = VirtualClock()
    let speaker = MemorySpeaker(clock: clock)
    let provider = FliteSynthesisProvider(
      engine: FliteEngine(), configuration: .default, output: speaker)
    try await provider.speak(text: "The light is on.", voice: "rms")

    let sound = try #require(speaker.sounds.first)
    #expect(sound.start == .zero)
    #expect(sound.audio.duration == clock.time)
    #expect(sound.audio.level > -40)
  }
}

/// A lamp that obeys the voice: what the article on testing tests.
@MainActor
final class Lamp {
  let ears: SpeechRecognitionEngine
  private(set) var isOn = false

  init(ears: SpeechRecognitionEngine) {
    self.ears = ears
  }

  func startListening() async throws {
    try await ears.startListening(locale: Locale(identifier: "en-US"))
  }

  /// Obeys until listening ends.
  func obey() async {
    for await result in ears.results where result.isFinal {
      isOn = result.text.hasSuffix("on")
    }
  }
}
