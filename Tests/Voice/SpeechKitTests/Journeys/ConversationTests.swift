import AIServiceTesting
import Foundation
import SpeechCloud
import SpeechKit
import SpeechTesting
import Testing

/// A conversation with a chat service, over a real connection to a server on this machine.
@Suite(.serialized) struct ConversationTests {
  private static func chunk(_ delta: String, finish: String = "null") -> ScriptedReply.Step {
    .send(
      """
      data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[\
      {"index":0,"delta":\(delta),"finish_reason":\(finish)}]}\n\n
      """)
  }

  private static func answer(_ pieces: [String]) -> ScriptedReply {
    .events(
      pieces.map { chunk(#"{"content":"\#($0)"}"#) }
        + [chunk("{}", finish: #""stop""#), .send("data: [DONE]\n\n")])
  }

  private static func messages(_ request: RecordedRequest) throws -> [[String: Any]] {
    let body = try #require(
      try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
    return try #require(body["messages"] as? [[String: Any]])
  }

  @Test func `a model receives the replies as heard, and calls functions`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let path = "/v1/chat/completions"
    server.enqueue(
      Self.answer(["**Once** upon ", "a time there was a king. ", "He had three daughters."]),
      .events([
        Self.chunk(#"{"content":"Let me look."}"#),
        Self.chunk(
          #"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"time","arguments":"{}"}}]}"#),
        Self.chunk("{}", finish: #""tool_calls""#), .send("data: [DONE]\n\n"),
      ]),
      Self.answer(["It is noon."]), for: path)
    let service = OpenAIProvider(
      configuration: OpenAIConfiguration(
        baseURL: server.url("/v1").absoluteString, requiresKey: false))
    let responder = ChatResponder(
      service, systemPrompt: "Be brief.", model: "m",
      tools: [.init(ChatTool(name: "time", description: "Tells the time.")) { _ in "12:00" }])
    let history = try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears), responder: responder,
        synthesis: SpeechSynthesisEngine(
          provider: FliteSynthesisProvider(
            engine: FliteEngine(), configuration: .default,
            output: MemorySpeaker(clock: world.clock))), clock: world.clock)
      let events = loop.events
      try await loop.start()
      ears.begin()
      ears.finish("tell me a story")
      for await event in events where event.kind == .speaking("He had three daughters.") { break }
      // Thinking took no time of this world, however long the server needed.
      try await world.clock.sleep(until: world.clock.time + .milliseconds(700))
      ears.begin()
      ears.finish("what time is it")
      for await event in events
      where event.kind == .replyFinished("Let me look. It is noon.") { break }
      await loop.stop()
      return loop.history
    }
    #expect(history.entries.first?.text == "tell me a story")
    let heard = history.entries[1]
    #expect(heard.text.hasPrefix("Once upon a time there was a king. He"))
    #expect(heard.isInterrupted)
    #expect(history.entries.last?.text == "Let me look. It is noon.")

    try #require(server.requests.count == 3)
    let second = try Self.messages(server.requests[1])
    #expect(second.map { $0["role"] as? String } == ["system", "user", "assistant", "user"])
    #expect(second[2]["content"] as? String == heard.text)
    #expect(second[3]["content"] as? String == "what time is it")
    let third = try Self.messages(server.requests[2])
    #expect(third.last?["role"] as? String == "tool")
    #expect(third.last?["content"] as? String == "12:00")
  }

  @Test func `a server that is down is reported, and the conversation continues`() async throws {
    let server = try LoopbackServer()
    let url = server.url("/v1").absoluteString
    server.stop()
    let down = ChatResponder(
      OpenAIProvider(configuration: OpenAIConfiguration(baseURL: url, requiresKey: false)))
    let kinds = try await VirtualWorld.run { world in
      let ears = ScriptedRecogniser()
      let loop = VoiceLoop(
        recognition: SpeechRecognitionEngine(provider: ears),
        responder: ResponderChain([down, EchoResponder()], clock: world.clock),
        synthesis: SpeechSynthesisEngine(
          provider: FliteSynthesisProvider(
            engine: FliteEngine(), configuration: .default,
            output: MemorySpeaker(clock: world.clock))), clock: world.clock)
      let events = loop.events
      try await loop.start()
      ears.begin()
      ears.finish("hello")
      var kinds: [VoiceLoopEvent.Kind] = []
      for await event in events {
        kinds.append(event.kind)
        // The attempts at reaching the server may take so long that a word is said meanwhile.
        if case .replyFinished(let text) = event.kind, text.hasSuffix("hello") { break }
      }
      await loop.stop()
      return kinds
    }
    guard case .replyFinished? = kinds.last else {
      Issue.record("\(kinds)")
      return
    }
  }
}
