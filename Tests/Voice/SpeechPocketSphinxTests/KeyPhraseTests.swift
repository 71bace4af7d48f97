import SpeechTesting
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@DecodingQueue struct KeyPhraseTests {
  private static let locale = Locale(identifier: "en_US")
  private static let lights = """
    #JSGF V1.0; grammar lights;
    public <order> = ( lights | radio ) ( on | off ) | no | bye;
    """

  private func configuration(_ search: PocketSphinxSearch) -> PocketSphinxConfiguration {
    PocketSphinxConfiguration(
      search: search, modelFolder: PocketSphinxModelPlaces.distribution)
  }

  private func decoder(_ phrases: [KeyPhrase]) throws -> PocketSphinxDecoder {
    try PocketSphinxDecoder(
      configuration: configuration(.keyPhrases(phrases)), locale: Self.locale)
  }

  /// The audio of these lines, with pauses of that many seconds between them.
  private func say(
    _ lines: [String], pauses: [Double] = [], voice: String = "rms"
  ) async throws -> PCMBuffer {
    var sound = PCMBuffer(format: .recognition)
    for (index, line) in lines.enumerated() {
      sound.append(try await Speaker(.flite, voice: voice).say(line))
      if index < pauses.count {
        sound.append(.silence(.seconds(pauses[index]), format: .recognition))
      }
    }
    return sound
  }

  private func hear(
    _ sound: PCMBuffer, in frames: Int = 480, with decoder: PocketSphinxDecoder
  ) throws -> [RecognizedWord] {
    var heard: [RecognizedWord] = []
    var start = 0.0
    func finish(_ end: Int) throws {
      heard += try decoder.finishUtterance()?.words.map { $0.shifted(by: start) } ?? []
      start = Double(end) / 16_000
    }
    try decoder.startUtterance()
    for frame in stride(from: 0, to: sound.frameCount, by: frames) {
      let end = min(frame + frames, sound.frameCount)
      if try decoder.process(sound.slice(frame..<end)).isComplete {
        try finish(end)
        try decoder.startUtterance()
      }
    }
    try finish(sound.frameCount)
    return heard
  }

  private func whole(_ sound: PCMBuffer, _ decoder: PocketSphinxDecoder) throws -> [RecognizedWord]
  {
    try decoder.decode(sound)?.words ?? []
  }

  // MARK: - Hearing

  @Test func `several phrases are found in their order, live and in files`() async throws {
    let decoder = try decoder(["computer", "good morning"])
    let sound = try await say(
      ["computer", "well good morning everybody", "ask the computer again"],
      pauses: [0.7, 0.7, 0.5])
    let words = try whole(sound, decoder)
    #expect(words.map(\.text) == ["computer", "good morning", "computer"])
    let live = try hear(sound, with: decoder)
    #expect(live.map(\.text) == words.map(\.text))
    for (one, other) in zip(words, live) {
      #expect(abs(one.start - other.start) < 0.1 && abs(one.end - other.end) < 0.1)
    }
    #expect(try hear(sound, in: 16_000, with: decoder).map(\.text) == words.map(\.text))
  }

  @Test(arguments: ["rms", "slt"])
  func `a phrase at the very end is found, and other speech is not`(voice: String) async throws {
    let decoder = try decoder(["computer"])
    var sound = try await say(["please ask the computer"], voice: voice)
    sound = sound.slice(0..<sound.frameCount - 1_600)
    #expect(try whole(sound, decoder).count == 1)
    #expect(try hear(sound, with: decoder).count == 1)
    for line in OrdinaryEnglish.sentences.prefix(5) {
      let other = try await say([line], voice: voice)
      #expect(try whole(other, decoder).isEmpty, "\(line)")
      #expect(try hear(other, with: decoder).isEmpty, "\(line)")
    }
  }

  @Test func `the minimum confidence determines the findings`() async throws {
    let sound = try await say(["computer"])
    let heard = try #require(try whole(sound, try decoder(["computer"])).first)
    #expect(heard.confidence >= 0.6 && heard.confidence < 1)
    let strict = KeyPhrase("computer", minimumConfidence: 1)
    #expect(try whole(sound, try decoder([strict])).isEmpty)
    // The library's own threshold alone.
    let closed = KeyPhrase("computer", threshold: 1)
    #expect(try whole(sound, try decoder([closed])).count <= 1)
    let open = KeyPhrase("computer", threshold: 1e-50, minimumConfidence: 0)
    #expect(try whole(sound, try decoder([open])).map(\.text) == ["computer"])
  }

  @Test func `every pronunciation of its words is recognised`() throws {
    let handle = try PocketSphinxHandle(options: [
      "-hmm", "/usr/share/pocketsphinx/model/en-us/en-us", "-dict",
      "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict",
    ])
    let list = try KeyPhraseList(["hey jarvis"], knownTo: handle)
    #expect(Set(list.readings.keys) == ["hey jarvis", "hey jarvis(2)"])
    #expect(list.readings.values.allSatisfy { $0.text == "hey jarvis" })
  }

  @Test func `the cepstra of pieces are those of the complete audio`() throws {
    let handle = try PocketSphinxHandle(options: [
      "-hmm", "/usr/share/pocketsphinx/model/en-us/en-us", "-dict",
      "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict", "-remove_noise", "no",
      "-remove_silence", "no",
    ])
    let sound = Recordings.noise(20_000).samples
    let all = try handle.cepstra(of: sound[...])
    var stream = KeyPhraseStream(width: all.width, lastMean: nil)
    for start in stride(from: 0, to: sound.count, by: 1_600) {
      _ = try stream.hear(sound[start..<min(start + 1_600, sound.count)], with: handle)
    }
    #expect(stream.cepstra.frameCount > 110)
    #expect(stream.cepstra.values == Array(all.values.prefix(stream.cepstra.values.count)))
  }

  // MARK: - Wake words

  private func results(
    of sound: PCMBuffer,
    wake: WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>.Configuration,
    isLive: Bool
  ) async throws -> [(text: String, isPhrase: Bool, start: Double)] {
    typealias Decoder = WakeWordDecoder<PocketSphinxDecoder, PocketSphinxDecoder>
    if isLive {
      let provider = await DecoderRecognitionProvider<Decoder>(
        configuration: wake, input: AudioFileInput(sound))
      let stream = await provider.results
      try await provider.startListening(locale: Self.locale)
      var heard: [(String, Bool, Double)] = []
      for await result in stream where result.isFinal {
        heard.append((result.text, result.keyPhrase != nil, result.words.first?.start ?? -1))
      }
      return heard
    }
    let transcript = try await SpeechTranscriber<Decoder>(
      configuration: wake, locale: Self.locale
    ).transcribe(sound)
    return transcript.segments.map { ($0.text, $0.text == "computer", $0.start) }
  }

  @Test(arguments: [false, true])
  func `no part of a command is lost, in one breath or after a pause`(isLive: Bool) async throws {
    var command = configuration(.grammar(Self.lights))
    command.acceptance = .recommended
    let wake = WakeWordConfiguration<PocketSphinxDecoder, PocketSphinxDecoder>(
      spotter: configuration(.keyPhrases(["computer"])), command: command, window: .seconds(3))
    let sound = try await say(
      ["computer lights on", "computer", "radio off", "radio on", "computer", "radio on"],
      pauses: [1.5, 1.5, 1.5, 1.5, 5, 1])
    let heard = try await results(of: sound, wake: wake, isLive: isLive)
    // The third command has no phrase before it, and the last one comes too late.
    #expect(
      heard.map(\.text) == ["computer", "lights on", "computer", "radio off", "computer"])
    #expect(heard.map(\.isPhrase) == [true, false, true, false, true])
    #expect(heard.map(\.start) == heard.map(\.start).sorted())
  }

  // MARK: - As text

  @Test(arguments: [
    ("hey computer", KeyPhrase("hey computer")),
    (" hey   computer /1e-30/", KeyPhrase("hey computer", threshold: 1e-30)),
    ("stop /1e-5/0.5/", KeyPhrase("stop", threshold: 1e-5, minimumConfidence: 0.5)),
    ("stop //0.75/ ", KeyPhrase("stop", minimumConfidence: 0.75)),
    ("one \t\u{488}two", KeyPhrase("one \u{488}two")),
  ])
  func `a line is a phrase, and a phrase a line`(line: String, phrase: KeyPhrase) throws {
    #expect(try KeyPhrase(line: line) == phrase)
    #expect(try KeyPhrase(line: "\(phrase)") == phrase)
  }

  @Test(arguments: [
    "", " ", "/1e-30/", "stop /", "stop /x/", "stop /1e-30", "stop /0/", "stop /2/", "stop //2/",
    "stop //-1/", "stop /nan/", "stop /1e-30/0.5/9/", "stop /1e-30/0.5/ now",
  ])
  func `an invalid line is an error with its reason`(line: String) {
    #expect(throws: SpeechRecognitionError.self) { try KeyPhrase(line: line) }
  }

  @Test func `a list names the line that is wrong`() throws {
    let list = try KeyPhrase.list("# mine\n\ncomputer\r\nstop //0.9/\n")
    #expect(list == ["computer", KeyPhrase("stop", minimumConfidence: 0.9)])
    let reason = refusal { _ = try KeyPhrase.list("computer\nstop /x/") }
    #expect(reason?.contains("Line 2") == true)
  }

  @Test func `no list crashes its reader`() {
    var hostile = HostileBytes(
      ["computer /1e-30/0.5/\n# x\nhey you //0.7/\n", "stop /1/\r\nstop /1e-200/1/"],
      snippets: ["/", "//", "1e999", "nan", "-0", "\u{0}", "🙂", "\n", "#"], seed: 7)
    for _ in 0..<Endurance.count(full: 2_000, short: 200) {
      let text = String(decoding: hostile.next(), as: UTF8.self)
      guard let list = try? KeyPhrase.list(text) else { continue }
      for phrase in list { #expect((try? KeyPhrase(line: "\(phrase)")) == phrase) }
    }
  }
}
