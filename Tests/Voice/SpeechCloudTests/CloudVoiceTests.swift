import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCore
import Testing

@testable import SpeechCloud

/// Tests of voices of services, from the server's bytes to what is heard.
@MainActor
struct CloudVoiceTests {
  @Test func `the first audio is heard before the rest has been sent`() async throws {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let gate = ReplyGate()
    bench.server.enqueue(
      .chunked(
        [
          .bytes(CloudBench.bytes(of: "Good ")), .wait(gate),
          .bytes(CloudBench.bytes(of: "morning.")),
        ],
        headers: ["Content-Type": "audio/pcm"]))
    let provider = bench.provider(bench.openAI())
    let events = provider.events
    let speech = Task { try await provider.speak(text: "Good morning.", voice: nil) }
    #expect(await events.waitFor(\.isProgress) != nil)
    #expect(bench.heard == CloudBench.samples(of: "Good "))
    gate.open()
    try await speech.value
    #expect(bench.heard == CloudBench.samples(of: "Good morning."))
  }

  @Test func `the first audio is heard before the rest has been sent, also with times`()
    async throws
  {
    let bench = try await CloudBench(buffer: .zero)
    defer { bench.server.stop() }
    let gate = ReplyGate()
    let lines = CloudBench.lines(of: "Good morning.", 5)
    bench.server.enqueue(
      .chunked(
        [.send(lines[0] + "\n"), .wait(gate), .send(lines[1...].joined(separator: "\n"))],
        headers: ["Content-Type": "application/json"]))
    let provider = bench.provider(bench.elevenLabs())
    let positions = provider.positions
    let speech = Task { try await provider.speak(text: "Good morning.", voice: nil) }
    let word = await positions.waitFor { $0.kind == .word }
    #expect(word == SpeechPosition(kind: .word, textRange: 0..<4, audioOffset: .zero))
    gate.open()
    try await speech.value
    #expect(bench.heard == CloudBench.samples(of: "Good morning."))
  }

  @Test(arguments: [[1], [3], [1, 2, 3, 5, 7, 11, 480], [479], [2]])
  func `pieces may end in the middle of a sample`(_ sizes: [Int]) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    var rest = CloudBench.bytes(of: "Odd.")
    var steps: [ScriptedReply.Step] = []
    while !rest.isEmpty {
      let size = min(rest.count, sizes[steps.count % sizes.count])
      steps.append(.bytes(Data(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    bench.server.enqueue(.chunked(steps, headers: ["Content-Type": "audio/pcm"]))
    try await bench.provider(bench.openAI()).speak(text: "Odd.", voice: nil)
    #expect(bench.heard == CloudBench.samples(of: "Odd."))
  }

  @Test func `half a sample at the end is not heard`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.enqueue(
      .fixed(headers: ["Content-Type": "audio/pcm"], body: CloudBench.bytes(of: "Odd.") + [7]))
    try await bench.provider(bench.openAI()).speak(text: "Odd.", voice: nil)
    #expect(bench.heard == CloudBench.samples(of: "Odd."))
  }

  @Test(arguments: ["audio/wav", "audio/flac", "audio/pcm", "application/octet-stream", ""])
  func `audio files are decoded, whatever their content type`(_ type: String) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let sound = PCMBuffer(
      samples: CloudBench.samples(of: "File.").values, format: AudioFormat(sampleRate: 22_050))
    let file = try AudioFile.encode(sound, as: type == "audio/flac" ? .flac : .wav)
    var headers = HTTPHeaders()
    if !type.isEmpty { headers["Content-Type"] = type }
    bench.server.enqueue(
      .chunked([.bytes(file.prefix(2)), .bytes(file.dropFirst(2))], headers: headers))
    try await bench.provider(bench.openAI()).speak(text: "File.", voice: nil)
    #expect(bench.heard == CloudBench.samples(of: "File."))
    #expect(bench.speaker.sounds.first?.audio.format == sound.format)
  }

  @Test func `the content type determines the rate`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.enqueue(
      .fixed(
        headers: ["Content-Type": "audio/L16; rate=16000; channels=1"],
        body: CloudBench.bytes(of: "Rate.")))
    try await bench.provider(bench.openAI()).speak(text: "Rate.", voice: nil)
    #expect(bench.speaker.sounds.first?.audio.format == AudioFormat(sampleRate: 16_000))
  }

  @Test func `a change of the rate between two parts is an error`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.enqueue(
      .fixed(
        headers: ["Content-Type": "audio/pcm; rate=24000"], body: CloudBench.bytes(of: "One.")),
      .fixed(
        headers: ["Content-Type": "audio/pcm; rate=16000"], body: CloudBench.bytes(of: "Two.")))
    let text = String(repeating: "A sentence of this kind. ", count: 30)
    await #expect(throws: SpeechSynthesisProviderError.self) {
      try await bench.provider(bench.openAI()).speak(text: text, voice: nil)
    }
  }

  @Test(arguments: [
    ("text/html", "<html>Welcome</html>"), ("application/json", #"{"error":{"message":"No."}}"#),
    ("audio/pcm", ""), ("audio/wav", "RIFFnot a file at all"),
  ])
  func `a response that is not audio is an error`(_ type: String, _ body: String) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in
      .fixed(headers: ["Content-Type": type], body: Data(body.utf8))
    }
    await #expect(throws: SpeechSynthesisProviderError.self) {
      try await bench.provider(bench.openAI()).speak(text: "Hello", voice: nil)
    }
    #expect(bench.heard.isEmpty)
  }

  @Test func `the manner of speaking reaches the service or the sound`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.speech($0) }
    let configuration = CloudVoiceConfiguration(
      voice: "coral", model: "kokoro",
      style: SpeakingStyle(
        rate: 0.75, volume: 0.5, preUtteranceDelay: 0.1, postUtteranceDelay: 0.2),
      instructions: "Calm.")
    try await bench.provider(bench.openAI(), configuration).speak(text: "Hi", voice: nil)
    #expect(
      bench.server.requests.first?.json == [
        "model": "kokoro", "voice": "coral", "input": "Hi", "instructions": "Calm.", "speed": 2,
        "response_format": "pcm",
      ])
    let silence = { (frames: Int) in Samples([Int16](repeating: 0, count: frames)) }
    let softer = CloudBench.samples(of: "Hi").values.map { Int16((Double($0) * 0.5).rounded()) }
    #expect(bench.heard == silence(2_400) + Samples(softer) + silence(4_800))
    try await bench.provider(bench.openAI()).speak(text: "Hi", voice: "nova")
    #expect(bench.server.requests.last?.json["voice"] == "nova")
    #expect(bench.server.requests.last?.json["speed"] == nil)
  }

  @Test func `options of a request override the configuration`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { CloudBench.speech($0) }
    let voice = bench.openAI()
    _ = try await voice.render(
      voice.makeRequest(
        text: "Hi", voiceId: "sage",
        options: ["rate": "0.25", "model": "m", "instructions": "Loud."]),
      configuration: CloudVoiceConfiguration(voice: "coral", model: "other"))
    #expect(
      bench.server.requests.first?.json == [
        "model": "m", "voice": "sage", "input": "Hi", "instructions": "Loud.", "speed": 0.5,
        "response_format": "pcm",
      ])
    await #expect(throws: SpeechSynthesisProviderError.self) {
      try await voice.render(
        voice.makeRequest(text: "Hi", options: ["rate": "fast"]), configuration: .default)
    }
  }

  @Test(arguments: ["", "  \n", "…", "?!", "🦊"])
  func `a text without words takes no request`(_ text: String) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    await #expect(throws: SpeechSynthesisProviderError.invalidText) {
      try await bench.provider(bench.openAI()).speak(text: text, voice: nil)
    }
    #expect(bench.server.acceptedConnections == 0)
  }

  @Test func `saved speech is the service's own MP3 if one request suffices`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { request in
      request.json["response_format"] == "mp3"
        ? .fixed(headers: ["Content-Type": "audio/mpeg"], body: Data("ID3 sound".utf8))
        : CloudBench.speech(request)
    }
    let voice = bench.openAI()
    let sentence = "This is a sentence. "
    let text = String(repeating: sentence, count: 100)
    let saved = try await voice.generateAudio(
      request: voice.makeRequest(text: text), configuration: .default)
    #expect(saved.audioFormat == .mp3)
    #expect(saved.audioData == Data("ID3 sound".utf8))
    #expect(bench.server.requests.count == 1)
    #expect(bench.server.requests.first?.json["input"] == .string(text))

    let longer = String(repeating: sentence, count: 300)
    let rendered = try await voice.generateAudio(
      request: voice.makeRequest(text: longer), configuration: .default)
    #expect(rendered.audioFormat == .wav)
    #expect(Samples(try rendered.decodedAudio().samples) == CloudBench.samples(of: longer))
  }

  @Test func `voices are listed by language`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in
      .json(
        #"{"voices":[{"voice_id":"a","name":"A","labels":{"language":"en","gender":"female"}},"#
          + #"{"voice_id":"b","name":"B","verified_languages":[{"language":"de"}]},"#
          + #"{"voice_id":"c","name":"C"}],"has_more":false}"#
      )
    }
    let voice = bench.elevenLabs()
    let english = try await voice.fetchVoices(languageCode: "en-GB", configuration: .default)
    #expect(english.map(\.id) == ["a", "c"])
    #expect(english.first?.gender == .female)
    let all = try await voice.fetchVoices(languageCode: "", configuration: .default)
    #expect(all.map(\.id) == ["a", "b", "c"])
    #expect(await voice.isVoiceAvailable(voiceId: "b", configuration: .default))
    #expect(!(await voice.isVoiceAvailable(voiceId: "z", configuration: .default)))
    let openAI = try await bench.openAI().fetchVoices(languageCode: "", configuration: .default)
    #expect(openAI.contains { $0.id == "alloy" })
  }

  @Test func `a failing service has no voices, and a synthesis error gives the reason`()
    async throws
  {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .json("{}", status: 401) }
    await #expect(throws: SpeechSynthesisProviderError.authenticationFailed) {
      try await bench.elevenLabs().fetchVoices(languageCode: "", configuration: .default)
    }
  }
}
