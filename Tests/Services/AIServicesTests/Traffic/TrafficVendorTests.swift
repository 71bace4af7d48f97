import AIServiceTesting
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import Testing

/// Tests of the vendors' providers: recorded with a server, written, read, and replayed without it.
struct TrafficVendorTests {
  @Test(arguments: Vendor.allCases)
  func `a replay returns what the service returned, without the service`(_ vendor: Vendor)
    async throws
  {
    let workshop = try TrafficWorkshop()
    let server = try LoopbackServer()
    server.reply { vendor.exchange.reply($0) }
    let address = server.url()
    let transport = RecordingTransport(UnhurriedTransport())
    let live = try await vendor.provider(at: address, through: .init(transport: transport))
    let heard = await answers(of: live)
    server.stop()
    #expect(heard.allSatisfy { $0.hasPrefix("success") }, "\(heard)")
    try transport.recording.write(to: workshop.file)

    let recording = try TrafficRecording(contentsOf: workshop.file)
    #expect(recording.exchanges == transport.recording.exchanges)
    #expect(recording.exchanges.count == 3)
    let replay = ReplayTransport(recording)
    // The address of the service does not matter.
    let elsewhere = try #require(URL(string: "https://nobody.invalid/"))
    let provider = try await vendor.provider(at: elsewhere, through: .init(transport: replay))
    #expect(await answers(of: provider) == heard)
    #expect(replay.unasked.isEmpty)
    #expect(replay.mismatches.isEmpty)
  }

  private func answers(of provider: any AIServiceProvider) async -> [String] {
    var answers: [String] = []
    for prompt in ["Hello.", "Hello you.", "Hello there, “friend” of 日本."] {
      switch await provider.generate(prompt: prompt, parameters: [:]) {
      case .success(let content):
        answers.append("success \(content.contentType) \(content.dataContent ?? Data())")
      case .failure(let error): answers.append("failure \(error)")
      }
    }
    return answers
  }

  @Test func `events come in the same pieces`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let gates = [ReplyGate(), ReplyGate()]
    server.reply { request in
      let steps = ServiceExchange.openAI.reply(request).steps
      var gated: [ScriptedReply.Step] = []
      for (index, step) in steps.enumerated() {
        gated.append(step)
        if index == 2 { gated.append(.wait(gates[0])) }
        if index == 3 { gated.append(.wait(gates[1])) }
      }
      return ScriptedReply(raw: gated)
    }
    let transport = RecordingTransport(UnhurriedTransport())
    let live = try await openAI(at: server.url(), transport)
    var events: [ChatEvent] = []
    for try await event in live.chat(ChatRequest("Hello")) {
      events.append(event)
      if events.count == 1 { gates[0].open() }
      if events.count == 2 { gates[1].open() }
    }
    let recording = try TrafficRecording(text: transport.recording.text)
    let pieces = recording.exchanges[0].pieces.map { String(decoding: $0.bytes, as: UTF8.self) }
    // The server continued only after the earlier pieces had been read.
    #expect(pieces.count >= 3)
    #expect(!pieces[0].contains("Hello"))
    let replay = ReplayTransport(recording)
    let replayed = try await openAI(at: server.url(), replay)
    var again: [ChatEvent] = []
    for try await event in replayed.chat(ChatRequest("Hello")) { again.append(event) }
    #expect(again == events)
    let request = recording.exchanges[0].request
    let body = try await ReplayTransport(recording).send(
      HTTPRequest(.post, try #require(URL(string: request.url)), body: request.body)
    ).body
    var iterator = body.makeAsyncIterator()
    for piece in pieces {
      let next = try await iterator.next()
      #expect(next.map { String(decoding: $0, as: UTF8.self) } == piece)
    }
  }

  @Test func `a form is recognised whatever its boundary`() async throws {
    let server = try LoopbackServer()
    server.reply { _ in .json(#"{"text":"good morning"}"#) }
    let transport = RecordingTransport(UnhurriedTransport())
    let audio = Data("RIFF".utf8) + Data((0..<400).map { UInt8($0 % 251) })
    let request = TranscriptionRequest(audio: audio)
    let live = try await openAI(at: server.url(), transport)
    let heard = try await live.transcription(of: request)
    server.stop()
    let recording = try TrafficRecording(text: transport.recording.text)
    let replayed = try await openAI(at: server.url(), ReplayTransport(recording))
    #expect(try await replayed.transcription(of: request).text == heard.text)

    var other = audio
    other[100] ^= 1
    let wrong = ReplayTransport(recording)
    let refused = try await openAI(at: server.url(), wrong)
    await #expect(throws: AIServiceError.self) {
      _ = try await refused.transcription(of: TranscriptionRequest(audio: other))
    }
    let place = try #require(wrong.mismatches.first?.differences.first?.place)
    #expect(place.hasPrefix("body at byte "))
  }

  private func openAI(at address: URL, _ transport: any HTTPTransport) async throws
    -> OpenAIProvider
  {
    let provider = try await Vendor.openAI.provider(
      at: address, through: .init(transport: transport))
    return try #require(provider as? OpenAIProvider)
  }
}
