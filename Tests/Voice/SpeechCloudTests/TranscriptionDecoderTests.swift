import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCloud
import SpeechCore
import SpeechFlite
import Testing

/// Tests of a service as a recogniser: real speech into a microphone in memory, requests to a
/// server on this machine.
@MainActor
struct TranscriptionDecoderTests {
  private let english = Locale(identifier: "en-US")

  private func provider(
    _ bench: CloudBench, _ script: AudioScript,
    _ change: (inout OpenAITranscriptionDecoder.Configuration) -> Void = { _ in }
  ) -> DecoderRecognitionProvider<OpenAITranscriptionDecoder> {
    var configuration = OpenAITranscriptionDecoder.Configuration(service: bench.openAI().service)
    change(&configuration)
    return DecoderRecognitionProvider(
      configuration: configuration, input: ScriptedMicrophone(script))
  }

  private func spoken(_ text: String) async throws -> PCMBuffer {
    let flite = FliteEngine()
    let audio = try await flite.render(flite.makeRequest(text: text), configuration: .default)
    return try audio.resampled(to: .recognition)
  }

  /// Two utterances, at seconds 1 and 6.
  private func twoUtterances() async throws -> (script: AudioScript, first: Duration) {
    let first = try await spoken("good morning everybody")
    let script = AudioScript().withNoise(level: -65)
      .saying(first, at: .seconds(1))
      .saying(try await spoken("what time is it now"), at: .seconds(6))
      .ending(at: .seconds(10))
    return (script, first.duration)
  }

  /// The recording of a request, which has to be an audio file.
  private func recording(_ request: RecordedRequest) throws -> PCMBuffer {
    let start = try #require(request.body.range(of: Data("RIFF".utf8))).lowerBound
    let end = try #require(
      request.body.range(of: Data("\r\n--".utf8), in: start..<request.body.endIndex)
    ).lowerBound
    return try AudioFile.read(Data(request.body[start..<end]))
  }

  @Test func `each utterance is one request with a valid recording, and silence takes none`()
    async throws
  {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.enqueue(
      .json(
        #"{"text":" Good morning, everybody.","words":[{"word":"Good","start":0.25,"end":0.5}]}"#),
      .json(#"{"text":"What time is it now?"}"#))
    let (script, length) = try await twoUtterances()
    let provider = provider(bench, script) { $0.prompt = "Names: Anna." }
    let results = provider.results
    try await provider.startListening(locale: english)
    var finals: [SpeechRecognitionResult] = []
    for await result in results where result.isFinal { finals.append(result) }
    #expect(finals.map(\.text) == ["Good morning, everybody.", "What time is it now?"])
    // Times of the service are relative to the utterance; those of results are relative to the
    // start of listening.
    let word = try #require(finals.first?.words.first)
    #expect(word.text == "Good" && (0.9...1.4).contains(word.start))
    #expect(provider.failure == nil)

    #expect(
      bench.server.requests.map(\.target) == Array(repeating: "/v1/audio/transcriptions", count: 2))
    for request in bench.server.requests {
      let audio = try recording(request)
      #expect(audio.format == .recognition)
      #expect(audio.level > -50)
      #expect(audio.duration < .seconds(4))
    }
    let first = try recording(bench.server.requests[0])
    #expect(first.duration >= length - .milliseconds(300))
    #expect(first.duration <= length + .milliseconds(1_500))
    let form = String(decoding: bench.server.requests[0].body, as: UTF8.self)
    for field in [
      #"name="model""# + "\r\n\r\ngpt-transcribe\r\n", #"name="language""# + "\r\n\r\nen\r\n",
      #"name="prompt""# + "\r\n\r\nNames: Anna.\r\n", #"name="stream""# + "\r\n\r\ntrue\r\n",
      #"filename="utterance.wav""#,
    ] {
      #expect(form.contains(field), "\(field)")
    }
  }

  @Test func `a service that streams is heard before it is done`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    let gate = ReplyGate()
    bench.server.reply { _ in
      .events([
        .send("data: {\"type\":\"transcript.text.delta\",\"delta\":\"good\"}\n\n"), .wait(gate),
        .send("data: {\"type\":\"transcript.text.delta\",\"delta\":\" morning\"}\n\n"),
        .send("data: {\"type\":\"transcript.text.done\",\"text\":\"Good morning.\"}\n\n"),
      ])
    }
    let script = AudioScript().withNoise(level: -65)
      .saying(try await spoken("good morning"), at: .seconds(1)).ending(at: .seconds(4))
    let provider = provider(bench, script)
    let results = provider.results
    try await provider.startListening(locale: english)
    var told: [String] = []
    for await result in results {
      told.append(result.text)
      if told == ["good"] {
        #expect(provider.partialTranscription == "good")
        gate.open()
      }
    }
    #expect(told == ["good", "good morning", "Good morning."])
    #expect(provider.partialTranscription.isEmpty)
  }

  @Test func `nothing is streamed unless requested`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .json(#"{"text":"Good morning."}"#) }
    let script = AudioScript().withNoise(level: -65)
      .saying(try await spoken("good morning"), at: .seconds(1)).ending(at: .seconds(4))
    let provider = provider(bench, script) {
      $0.wantsPartials = false
      $0.model = "whisper-large"
    }
    let results = provider.results
    try await provider.startListening(locale: Locale(identifier: "de-DE"))
    var finals: [String] = []
    for await result in results { finals.append(result.text) }
    #expect(finals == ["Good morning."])
    let form = String(decoding: bench.server.requests[0].body, as: UTF8.self)
    #expect(!form.contains(#"name="stream""#))
    #expect(form.contains("whisper-large"))
    #expect(form.contains(#"name="language""# + "\r\n\r\nde\r\n"))
  }

  @Test(arguments: [
    (ScriptedReply.json(#"{"error":{"message":"Broken."}}"#, status: 500), "Broken."),
    (.json("{}", status: 401), "key"), (.json(#"{"words":[]}"#), "returned no text"),
    (
      .events([.send("data: {\"type\":\"transcript.text.delta\",\"delta\":\"go\"}\n\n"), .close]),
      "ended before it was complete"
    ),
  ])
  func `an error of the service ends the listening and is its failure`(
    _ reply: ScriptedReply, _ words: String
  ) async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in reply }
    let script = AudioScript().withNoise(level: -65)
      .saying(try await spoken("good morning"), at: .seconds(1)).ending(at: .seconds(4))
    let provider = provider(bench, script)
    let results = provider.results
    try await provider.startListening(locale: english)
    for await result in results { #expect(!result.isFinal) }
    guard case .recognitionFailed(let text) = provider.failure else {
      Issue.record("\(String(describing: provider.failure))")
      return
    }
    #expect(text.contains(words), "\(text)")
    #expect(!provider.isListening)
  }

  @Test func `an empty text is no result`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .json(#"{"text":"  "}"#) }
    let script = AudioScript().withNoise(level: -65)
      .saying(try await spoken("good morning"), at: .seconds(1)).ending(at: .seconds(4))
    let provider = provider(bench, script)
    let results = provider.results
    try await provider.startListening(locale: english)
    for await result in results { Issue.record("\(result.text)") }
    #expect(provider.failure == nil)
    #expect(bench.server.requests.count == 1)
  }

  @Test func `stopping delivers the utterance in progress`() async throws {
    let bench = try await CloudBench()
    defer { bench.server.stop() }
    bench.server.reply { _ in .json(#"{"text":"Good morning."}"#) }
    let script = AudioScript().withNoise(level: -65)
      .saying(try await spoken("good morning"), at: .seconds(1))
      .saying(try await spoken("this is never heard to its end"), at: .seconds(3_600))
    let provider = provider(bench, script)
    let results = provider.results
    try await provider.startListening(locale: english)
    var finals: [String] = []
    for await result in results {
      finals.append(result.text)
      provider.stopListening()
    }
    #expect(finals == ["Good morning."])
    #expect(!provider.isListening)
  }
}
