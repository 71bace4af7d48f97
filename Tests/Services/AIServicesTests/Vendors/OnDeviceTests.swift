import AIServiceTesting
import Foundation
import SpeechConcurrency
import Testing

@testable import AIServices

/// Tests of text from this machine.
struct OnDeviceTests {
  /// Saturday, 21 November 2026, 14:05 in Greenwich.
  private static let moment = Date(timeIntervalSince1970: 1_795_219_200 + 14 * 3_600 + 5 * 60)

  private let clock = SkippingClock()

  private func provider(
    _ addresses: [String], transport: any HTTPTransport = CurlTransport()
  ) -> OnDeviceTextProvider {
    OnDeviceTextProvider(
      addresses: addresses,
      environment: ServiceEnvironment(transport: transport, clock: ServiceClock(clock)))
  }

  private func text(
    _ provider: OnDeviceTextProvider, _ prompt: String, _ parameters: [String: Any] = [:]
  ) async throws -> String {
    try #require(try await provider.generate(prompt: prompt, parameters: parameters).get().text)
  }

  // MARK: A server that runs here

  @Test func `a server on this machine answers, with the first model that it lists`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply(to: "/v1/models") { _ in
      .json(#"{"object":"list","data":[{"id":"llama3.2","object":"model"},{"id":"other"}]}"#)
    }
    server.reply(to: "/v1/chat/completions") { ServiceExchange.openAI.reply($0) }
    let provider = provider([server.url("/v1").absoluteString])
    #expect(try await text(provider, "Hello there", ["temperature": 0.5]) == "Echo: Hello there")
    #expect(try await text(provider, "Again", ["max_length": 7]) == "Echo: A")
    let chats = server.requests.filter { $0.path == "/v1/chat/completions" }
    #expect(
      chats.first?.json == [
        "model": "llama3.2", "temperature": 0.5, "stream": true,
        "messages": [["role": "user", "content": "Hello there"]],
      ])
    #expect(server.requests.filter { $0.path == "/v1/models" }.count == 1)
    #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test func `the answer of a local model is streamed`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply(to: "/v1/models") { _ in .json(#"{"data":[{"id":"m"}]}"#) }
    let gate = ReplyGate()
    server.enqueue(
      .events([
        .send(#"data: {"choices":[{"delta":{"content":"one"}}]}"# + "\n\n"), .wait(gate),
        .send(#"data: {"choices":[{"delta":{"content":" two"},"finish_reason":"stop"}]}"# + "\n\n"),
      ]), for: "/v1/chat/completions")
    var pieces: [String] = []
    for try await event in provider([server.url("/v1").absoluteString]).chat(ChatRequest("Count."))
    {
      if case .text(let piece) = event { pieces.append(piece) }
      gate.open()
    }
    #expect(pieces == ["one", " two"])
  }

  @Test func `a server that is not a model server is skipped`() async throws {
    let (website, empty, server) = (
      try LoopbackServer(), try LoopbackServer(), try LoopbackServer()
    )
    defer { for each in [website, empty, server] { each.stop() } }
    website.reply { _ in .text("<html>Hello</html>", contentType: "text/html") }
    empty.reply { _ in .json(#"{"data":[]}"#) }
    server.reply(to: "/v1/models") { _ in .json(#"{"data":[{"id":"m"}]}"#) }
    server.reply(to: "/v1/chat/completions") { ServiceExchange.openAI.reply($0) }
    let provider = provider([website, empty, server].map { $0.url("/v1").absoluteString })
    #expect(try await text(provider, "Hello") == "Echo: Hello")
  }

  @Test func `a stopped server is replaced by the rules`() async throws {
    let server = try LoopbackServer()
    server.reply(to: "/v1/models") { _ in .json(#"{"data":[{"id":"m"}]}"#) }
    server.reply(to: "/v1/chat/completions") { ServiceExchange.openAI.reply($0) }
    let provider = provider([server.url("/v1").absoluteString])
    #expect(try await text(provider, "Hello") == "Echo: Hello")
    server.stop()
    try await server.wait { $0.openConnections == 0 }
    #expect(try await text(provider, "6 * 7") == "That makes 42.")
  }

  @Test func `a server started later is found after half a minute`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let provider = provider([server.url("/v1").absoluteString])
    #expect(try await text(provider, "Hello").contains("not a language model"))
    server.reply(to: "/v1/models") { _ in .json(#"{"data":[{"id":"m"}]}"#) }
    server.reply(to: "/v1/chat/completions") { ServiceExchange.openAI.reply($0) }
    #expect(try await text(provider, "Hello").contains("not a language model"))
    clock.advance(by: .seconds(31))
    #expect(try await text(provider, "Hello") == "Echo: Hello")
  }

  @Test(arguments: [
    "http://192.0.2.1/v1", "https://example.com/v1", "http://127.0.0.1.example.com/v1",
    "http://localhost@example.com/v1", "http://127.0.0.1@example.com/v1", "ftp://example.com", "",
    "http://[2001:db8::1]/v1", "http://localhost.example.com/v1", "http://2130706433.example/v1",
  ])
  func `another machine is never asked`(_ address: String) async throws {
    let transport = RecordingTransport()
    let answer = try await text(provider([address], transport: transport), "Hello")
    #expect(answer.contains("not a language model"))
    #expect(transport.hosts.isEmpty)
  }

  @Test(arguments: ["http://127.0.0.1:1/v1", "http://localhost:1/v1", "http://[::1]:1/v1"])
  func `this machine is asked under each of its addresses`(_ address: String) async throws {
    let transport = RecordingTransport()
    _ = try await text(provider([address], transport: transport), "Hello")
    #expect(transport.hosts.count == 1)
  }

  @Test func `in offline mode it still answers`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let provider = provider(
      [server.url("/v1").absoluteString],
      transport: CurlTransport(offline: OfflineMode(isOn: true)))
    #expect(try await text(provider, "What is 2 plus 2?") == "That makes 4.")
    #expect(server.acceptedConnections == 0)
  }

  // MARK: The responder

  @Test(
    arguments: [
      ("6*7", "42"), ("What is 12 * (3 + 4)?", "84"), ("what's 7 divided by 2", "3.5"),
      ("How much is 1,5?", nil), ("calculate 2 ** 10", "1,024"), ("2^3^2 =", "512"),
      ("-(4 - 9)", "5"), ("10 − 4 × 2", "2"), ("0.1 + 0.2", "0.3"), ("1/3", "0.333333"),
      ("--3 + 1", "4"), ("1 / 0", nil), ("2 +", nil), ("(1 + 2", nil), ("1 2", nil), ("42", nil),
      ("9^9^9^9", nil), ("1..2 + 1", nil), ("three plus four", nil), ("+", nil),
    ] as [(String, String?)])
  func `arithmetic is evaluated, and other text is not`(
    _ prompt: String, _ value: String?
  ) async throws {
    let answer = OfflineResponder().answer(to: prompt, at: Self.moment)
    if let value {
      #expect(answer == "That makes \(value).")
    } else {
      #expect(!answer.hasPrefix("That makes"), "\(answer)")
    }
  }

  @Test(arguments: ["(", "-", "2^", "1+("])
  func `deeply nested arithmetic is refused without a crash`(_ piece: String) {
    let prompt = String(repeating: piece, count: 200_000) + "1"
    #expect(!OfflineResponder().answer(to: prompt, at: Self.moment).hasPrefix("That makes"))
  }

  @Test func `it answers with the time and the date`() throws {
    let responder = OfflineResponder(timeZone: .gmt)
    let time = responder.answer(to: "What time is it?", at: Self.moment)
    #expect(time.hasPrefix("It is 2:05") && time.hasSuffix("PM."))
    let date = responder.answer(to: "Which day is today?", at: Self.moment)
    #expect(date.hasPrefix("Today is ") && date.contains("2026"))
  }

  @Test(arguments: ["", " \n", "Who are you?", "Hello!", "Write a poem about the sea.", "🦊"])
  func `it never pretends to be a model`(_ prompt: String) {
    let answer = OfflineResponder().answer(to: prompt, at: Self.moment)
    #expect(answer.contains("not a language model"))
  }

  // MARK: The provider

  @Test func `it has the printed interface`() async throws {
    let provider = AppleIntelligenceProvider()
    #expect(!provider.requiresAPIKey)
    #expect(provider.isConfigured())
    #expect(provider.capabilities == [.textGeneration])
    #expect(AppleIntelligenceProvider.isSupported())
    let info = provider.getDeviceInfo()
    #expect(info["privacy"] == "all data stays on device")
    #expect(info["requires_network"] == "false")
  }

  @Test(arguments: [
    ["temperature": 3.0], ["max_length": 0.0], ["model": 1.0], ["max_tokens": 5.0],
  ])
  func `unknown and out-of-range parameters are reported`(
    _ parameters: [String: Double]
  ) async throws {
    let result = await provider([]).generate(prompt: "Hello", parameters: parameters)
    guard case .failure(.invalidRequest) = result else {
      Issue.record("not the failure: \(result)")
      return
    }
  }

  @Test func `the last question of a conversation is answered`() async throws {
    let reply = try await provider([]).reply(
      to: ChatRequest(messages: [.user("1 + 1"), .assistant("That makes 2."), .user("2 * 2")]))
    #expect(reply == ChatReply(text: "That makes 4."))
  }
}

/// A transport without a network that records the requested hosts.
private final class RecordingTransport: HTTPTransport {
  private let asked = Guarded<[String]>([])

  var hosts: [String] { asked.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    asked.withLock { $0.append(request.url.host() ?? "") }
    throw HTTPFailure.unreachable("nobody is there")
  }
}
