import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import SpeechConcurrency
import TestSupport
import Testing
@testable import LLMSocket

@Suite(.needsPeers) struct LLMServiceTests {
  /// A server and its dialect.
  struct Setting: Sendable, CustomTestStringConvertible {
    var script: String
    var options: String
    var dialect: LLMConfiguration.Dialect
    var testDescription: String { "\(script) \(options)" }

    static let socketIO = [
      Setting(script: "socketio_server.py", options: #""matching":"id""#, dialect: .socketIO),
      Setting(script: "socketio_server.py", options: #""matching":"ack""#, dialect: .socketIO),
      Setting(script: "socketio_server.py", options: #""matching":"order""#, dialect: .socketIO),
    ]
    static let phoenix = [
      Setting(script: "phoenix_server.py", options: #""echo_id":true"#, dialect: .phoenix),
      Setting(script: "phoenix_server.py", options: #""echo_id":false"#, dialect: .phoenix),
    ]
    static let all = socketIO + phoenix

    func with<Result>(_ body: (Peer) async throws -> Result) async throws -> Result {
      try await Peer.with(script, ["{\(options)}"], body: body)
    }

    func restarted<Result>(at port: Int, _ body: (Peer) async throws -> Result) async throws
      -> Result
    {
      try await Peer.with(script, ["{\(options),\"port\":\(port)}"], body: body)
    }

    func configuration(_ port: Int) throws -> LLMConfiguration {
      LLMConfiguration(
        url: try #require(URL(string: "ws://127.0.0.1:\(port)/socket")), dialect: dialect,
        connectionAttempts: 1_000, reconnection: impatient)
    }

    func service(_ peer: Peer) throws -> LLMService {
      LLMService(try configuration(peer.port))
    }
  }

  /// Calls the variant with a completion, and checks that it is called once.
  private func completed(
    _ call: (@escaping @Sendable (Result<String, any Error>) -> Void) -> Void
  ) async throws -> String {
    let calls = Guarded(0)
    let result = await withCheckedContinuation { continuation in
      call { result in
        // A second call would end the process.
        calls.withLock { $0 += 1 }
        continuation.resume(returning: result)
      }
    }
    #expect(calls.withLock { $0 } == 1)
    return try result.get()
  }

  @Test(arguments: Setting.all)
  func `the three printed forms, and the async ones`(setting: Setting) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      let options: [String: Any] = ["temperature": 0.7, "max_tokens": 150]
      let one = try await completed { service.generateText("one", completion: $0) }
      let two = try await completed {
        service.generateText("two", model: "gpt-4", completion: $0)
      }
      let three = try await completed {
        service.generateText("three", options: options, completion: $0)
      }
      #expect([one, two, three] == ["<one>", "<two>", "<three>"])
      #expect(try await service.generateText("four") == "<four>")
      let reply = try await service.generate(
        "five", model: "gpt-4", options: LLMOptions(temperature: 0.2))
      #expect(reply.model == "gpt-4" && reply.generationID?.hasPrefix("req_") == true)
      #expect(try await service.generate("six").model == LLMService.defaultModel)
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `a failure has the printed shape`(setting: Setting) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      do {
        _ = try await completed { service.generateText("fail", completion: $0) }
        Issue.record("no error")
      } catch {
        #expect(error.localizedDescription == "Failed to generate response")
        let printed = error as NSError
        #expect(printed.domain == "LLMError" && printed.code == 0)
        let typed = try #require(error as? LLMError)
        #expect(typed.code == .generationFailed)
        #expect(typed.details == "HTTP 429: Rate limit exceeded")
      }
      let options: [String: Any] = ["temperature": "warm"]
      await #expect {
        try await completed { service.generateText("x", options: options, completion: $0) }
      } throws: { error in
        (error as? LLMError)?.code == .invalidRequest
      }
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `a thousand concurrent requests get their own answers`(setting: Setting) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            let text = try await service.generateText("prompt \(number)")
            if text != "<prompt \(number)>" { Issue.record("\(number) got \(text)") }
          }
        }
        try await group.waitForAll()
      }
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `two simultaneous equal prompts get two answers`(setting: Setting) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      async let one = service.generate("same")
      async let other = service.generate("same")
      #expect(try await [one.content, other.content] == ["<same>", "<same>"])
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `an abandoned request affects no other`(setting: Setting) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      _ = try await service.generateText("first")
      let hanging = Task { try await service.generateText("hang") }
      _ = try await peer.report("hanging")
      hanging.cancel()
      await #expect(throws: CancellationError.self) { try await hanging.value }
      if setting.options.contains("order") {
        // That server processes one request at a time, and this one forever.
        return await service.disconnect()
      }
      #expect(try await service.generateText("next") == "<next>")
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `a missing answer times out`(setting: Setting) async throws {
    try await setting.with { peer in
      let clock = SteppedClock()
      var configuration = try setting.configuration(peer.port)
      #expect(configuration.requestTimeout == .seconds(120))
      // Shorter than any heartbeat, so that nothing else is due at the same time.
      configuration.requestTimeout = .milliseconds(1)
      let service = LLMService(configuration, clock: clock)
      let hanging = Task { try await service.generateText("hang") }
      _ = try await peer.report("hanging")
      try await clock.advance(toSleeperAfter: .milliseconds(1))
      await #expect(throws: LLMError.timeout) { try await hanging.value }
      await service.disconnect()
    }
  }

  @Test(arguments: Setting.all)
  func `a request right after a disconnect reconnects`(
    setting: Setting
  ) async throws {
    try await setting.with { peer in
      let service = try setting.service(peer)
      for round in 0..<10 {
        #expect(try await service.generateText("\(round)") == "<\(round)>")
        await service.disconnect()
      }
    }
  }

  @Test(arguments: Setting.all)
  func `when the server restarts, requests in flight fail and later ones succeed`(
    setting: Setting
  ) async throws {
    let port = try await setting.with { peer in
      let service = try setting.service(peer)
      _ = try await service.generateText("first")
      let hanging = Task { try await service.generateText("hang") }
      _ = try await peer.report("hanging")
      await peer.stop()
      await #expect {
        try await hanging.value
      } throws: { error in
        (error as? LLMError)?.code == .connectionLost
      }
      let waiting = Task { try await service.generateText("later") }
      try await setting.restarted(at: peer.port) { _ in
        let later = try await waiting.value
        #expect(later == "<later>")
        await service.disconnect()
      }
      return peer.port
    }
    #expect(port > 0)
  }

  @Test(arguments: Setting.all)
  func `a request in flight is resent if allowed`(setting: Setting) async throws {
    try await setting.with { peer in
      var configuration = try setting.configuration(peer.port)
      configuration.resendLimit = 1
      let service = LLMService(configuration)
      _ = try await service.generateText("first")
      peer.freeze()
      // The frozen server has received it and does not answer, even after it was stopped.
      let waiting = Task { try await service.generateText("twice") }
      let other = Task { try await service.generateText("other") }
      await peer.stop()
      try await setting.restarted(at: peer.port) { _ in
        let texts = [try await waiting.value, try await other.value]
        #expect(texts == ["<twice>", "<other>"])
        await service.disconnect()
      }
    }
  }

  @Test(arguments: [Setting.socketIO[0], Setting.phoenix[0]])
  func `the dialect is detected`(setting: Setting) async throws {
    try await setting.with { peer in
      var configuration = try setting.configuration(peer.port)
      configuration.dialect = .automatic
      let service = LLMService(configuration)
      var states = service.states.makeAsyncIterator()
      #expect(try await service.generateText("x") == "<x>")
      #expect(await states.next() == .connecting(attempt: 1))
      #expect(service.state == .connected)
      await service.disconnect()
    }
  }

  @Test func `a channel that crashes fails its request, and the next one works`() async throws {
    let setting = Setting.phoenix[0]
    try await setting.with { peer in
      let service = try setting.service(peer)
      await #expect {
        try await service.generateText("crash")
      } throws: { error in
        (error as? LLMError)?.code == .connectionLost
      }
      #expect(try await service.generateText("x") == "<x>")
      await #expect {
        try await service.generateText("")
      } throws: { error in
        (error as? LLMError)?.code == .missingPrompt
      }
      await service.disconnect()
    }
  }

  @Test func `a missing, refusing or forbidden server has its own error`()
    async throws
  {
    let gone = try await Peer.start("quick_failure.py")
    await gone.stop()
    for dialect in [LLMConfiguration.Dialect.socketIO, .phoenix, .automatic] {
      var configuration = try Setting.all[0].configuration(gone.port)
      configuration.dialect = dialect
      configuration.connectionAttempts = 2
      let absent = LLMService(configuration)
      await #expect("\(dialect)") {
        try await absent.generateText("x")
      } throws: { error in
        (error as? LLMError)?.code == .notConnected
      }
      let offline = LLMService(
        configuration, sockets: CurlTransport(offline: OfflineMode(isOn: true)))
      await #expect("\(dialect)") {
        try await offline.generateText("x")
      } throws: { error in
        (error as? LLMError)?.code == .offline
      }
    }
    try await Peer.with("socketio_server.py") { peer in
      var configuration = try Setting.socketIO[0].configuration(peer.port)
      configuration.credential = .token(SecureString("wrong"))
      let refused = LLMService(configuration)
      await #expect {
        try await refused.generateText("x")
      } throws: { error in
        (error as? LLMError)?.code == .refused
      }
    }
    try await Peer.with("phoenix_server.py", [#"{"token":"sesame"}"#]) { peer in
      var configuration = try Setting.phoenix[0].configuration(peer.port)
      configuration.dialect = .automatic
      let refused = LLMService(configuration)
      await #expect {
        try await refused.generateText("x")
      } throws: { error in
        (error as? LLMError)?.code == .refused
      }
      configuration.credential = .token(SecureString("sesame"))
      let service = LLMService(configuration)
      #expect(try await service.generateText("x") == "<x>")
      await service.disconnect()
    }
  }

  @Test func `it conforms to the protocols of all providers`() async throws {
    let setting = Setting.socketIO[0]
    try await setting.with { peer in
      let service = try setting.service(peer)
      #expect(service.isConfigured())
      let parameters: [String: Any] = ["model": "gpt-4", "temperature": 0.5]
      let result = await service.generate(prompt: "x", parameters: parameters)
      #expect(try result.get().text == "<x>")
      for bad: [String: Any] in [["wings": 2], ["model": 3], ["max_tokens": "many"]] {
        guard case .failure(.invalidRequest) = await service.generate(prompt: "x", parameters: bad)
        else {
          Issue.record("\(bad) was taken")
          continue
        }
      }
      var events: [ChatEvent] = []
      for try await event in service.chat(ChatRequest("hello")) { events.append(event) }
      #expect(
        events == [.text("<hello>"), .usage(ServiceUsage(requests: 1)), .finished(.complete)])
      let conversation = ChatRequest(
        messages: [.system("Be brief."), .user("Hello"), .assistant("Hi"), .user("Bye")])
      #expect(
        try await service.reply(to: conversation).text
          == "<System: Be brief.\nUser: Hello\nAssistant: Hi\nUser: Bye\nAssistant:>")
      await #expect(throws: AIServiceError.self) {
        try await service.reply(
          to: ChatRequest(messages: [.user("x")], tools: [ChatTool(name: "t", description: "")]))
      }
      await service.disconnect()
    }
  }

  @Test func `the default is the printed address`() throws {
    let service = LLMService()
    #expect(service.configuration.url.absoluteString == "ws://localhost:4000/socket")
    #expect(service.configuration.requestTimeout == .seconds(120))
    #expect(service.state == .idle)
    #expect(service.id == "llm-socket" && service.isConfigured())
  }
}
