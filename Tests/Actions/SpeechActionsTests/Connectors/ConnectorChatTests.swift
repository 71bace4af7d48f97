import AIServiceTesting
import AIServices
import Foundation
import SpeechConcurrency
import Testing

@testable import SpeechActions

/// Connectors as chat services.
@Suite(.timeLimit(.minutes(20))) struct ConnectorChatTests {
  private static let tool = ChatTool(name: "timer", description: "Sets a timer.")

  private func body(_ world: ActionWorld) throws -> [String: SendableValue] {
    try JSONDecoder().decode(
      [String: SendableValue].self, from: try #require(world.server("a").requests.last).body)
  }

  @Test func `messages, system prompts and tools are sent with the connector's settings`()
    async throws
  {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["Fine", "."]) }
    var connector = world.connector("a")
    connector.instructions = "Be kind."
    connector.maxTokens = 99
    connector.temperature = 0.25
    connector.topP = 0.5
    var request = ChatRequest(
      messages: [
        .system("Be brief."), .user("How are you?"), .assistant("Well."), .user("Really?"),
      ])
    request.tools = [Self.tool]
    let reply = try await world.runner.chat(with: connector).reply(to: request)
    #expect(reply.text == "Fine.")
    let body = try body(world)
    #expect(
      body["messages"] == [
        ["role": "system", "content": "Be kind.\n\nBe brief."],
        ["role": "user", "content": "How are you?"], ["role": "assistant", "content": "Well."],
        ["role": "user", "content": "Really?"],
      ])
    #expect(body["temperature"] == 0.25 && body["top_p"] == 0.5 && body["max_tokens"] == 99)
    #expect(body["tools"]?.arrayValue?.count == 1)
    // The request's own settings take precedence.
    request.temperature = 1
    request.messages.removeFirst()
    _ = try await world.runner.chat(with: connector).reply(to: request)
    #expect(try self.body(world)["temperature"] == 1)
    #expect(
      try self.body(world)["messages"]?.arrayValue?.first
        == ["role": "system", "content": "Be kind."])
    let health = await world.runner.health(of: connector)
    #expect(health.successes == 2 && health.lastFirstText != nil)
  }

  @Test func `a disabled or failing connector throws an error of services`() async throws {
    let world = try ActionWorld(["a"])
    var connector = world.connector("a")
    connector.isActive = false
    await #expect(throws: AIServiceError.self) {
      try await world.runner.chat(with: connector).reply(to: ChatRequest("x"))
    }
    #expect(world.server("a").requests.isEmpty)
    connector.isActive = true
    world.server("a").reply { _ in .json(#"{"error":{"message":"no"}}"#, status: 401) }
    await #expect {
      try await world.runner.chat(with: connector).reply(to: ChatRequest("x"))
    } throws: { error in
      if case AIServiceError.authenticationFailed = error {
        true
      } else {
        if case AIServiceError.invalidAPIKey = error { true } else { false }
      }
    }
    #expect(await world.runner.health(of: connector).failures == 2)
  }

  @Test func `chats and runs share the limit on concurrent requests`()
    async throws
  {
    let world = try ActionWorld(["a"])
    let gate = ReplyGate()
    world.server("a").reply { _ in .late("A", gate) }
    var connector = world.connector("a")
    connector.concurrency = 2
    let chat = world.runner.chat(with: connector)
    func talk() -> Task<String, any Error> {
      Task { try await chat.reply(to: ChatRequest("x")).text }
    }
    let attempts = [talk(), talk()]
    try await gate.reached(times: 2)
    let waiting = [talk(), talk()]
    let run = world.run(.plain(), connectors: [connector])
    for _ in 0..<100 { await Task.yield() }
    #expect(world.server("a").requests.count == 2)
    // Cancelling a waiting request does not free a place.
    for talk in waiting { talk.cancel() }
    for talk in waiting { _ = await talk.result }
    #expect(world.server("a").requests.count == 2)
    // Cancelling a running request does.
    for talk in attempts { talk.cancel() }
    for talk in attempts { _ = await talk.result }
    try await gate.reached(times: 3)
    gate.open()
    #expect(await run.outcome().answer?.text == "A")
    #expect(world.server("a").requests.count == 3)
  }

  @Test func `a reader that stops closes the connection and frees its place`() async throws {
    let world = try ActionWorld(["a"])
    let gate = ReplyGate()
    world.server("a").enqueue(.answer(["one", "two"], gate: gate), .answer(["three"]))
    var connector = world.connector("a")
    connector.concurrency = 1
    let chat = world.runner.chat(with: connector)
    for try await event in chat.chat(ChatRequest("x")) {
      if case .text = event { break }
    }
    try await world.server("a").wait { $0.openConnections == 0 }
    #expect(try await chat.reply(to: ChatRequest("y")).text == "three")
  }

  @Test func `the model of a server on this machine can be chosen`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply(to: "/v1/models") { _ in
      .json(#"{"data":[{"id":"first"},{"id":"second"}]}"#)
    }
    world.server("a").reply(to: "/v1/chat/completions") { _ in .answer(["OK"]) }
    var connector = world.connector("a")
    connector.kind = .onDevice
    connector.model = "second"
    #expect(try await world.runner.chat(with: connector).reply(to: ChatRequest("x")).text == "OK")
    #expect(try body(world)["model"] == "second")
  }
}
