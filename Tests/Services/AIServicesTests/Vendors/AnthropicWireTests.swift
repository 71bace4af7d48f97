import AIServiceTesting
import Foundation
import Testing

/// Tests of the requests to Anthropic and of the parsing of its responses.
struct AnthropicWireTests {
  private let server: LoopbackServer
  private let credentials = AICredentialManager()
  private let clock = SkippingClock()

  init() async throws {
    server = try LoopbackServer()
    try await credentials.store(
      credential: AICredential(providerID: "anthropic", type: .apiKey, name: "Test"),
      value: SecureString("sk-ant-test"))
  }

  private func provider(
    version: String = AnthropicConfiguration.defaultVersion, betas: [String] = []
  ) -> AnthropicProvider {
    AnthropicProvider(
      configuration: AnthropicConfiguration(
        baseURL: server.url().absoluteString, version: version, betas: betas),
      credentialManager: credentials,
      environment: ServiceEnvironment(transport: CurlTransport(), clock: ServiceClock(clock)))
  }

  @Test func `a message request has the documented form`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.anthropic.reply($0) }
    _ = try await provider(betas: ["one-2026-01-01", "two-2026-01-01"]).reply(
      to: ChatRequest(
        messages: [.system("Be brief."), .system("Be kind."), .user("Hello")],
        model: "claude-haiku-5-5", maxTokens: 50, temperature: 0.25, topP: 0.5, stop: ["END"],
        tools: [ChatTool(name: "time", description: "Tells the time.")], toolChoice: .required,
        responseSchema: ["type": "object"], extra: ["metadata": ["user_id": "u1"]]))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/messages")
    #expect(request.headers["x-api-key"] == "sk-ant-test")
    #expect(request.headers["Authorization"] == nil)
    #expect(request.headers["anthropic-version"] == "2023-06-01")
    #expect(request.headers["anthropic-beta"] == "one-2026-01-01,two-2026-01-01")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(
      request.json == [
        "model": "claude-haiku-5-5", "max_tokens": 50, "temperature": 0.25, "top_p": 0.5,
        "system": "Be brief.\n\nBe kind.",
        "messages": [["role": "user", "content": [["type": "text", "text": "Hello"]]]],
        "stop_sequences": ["END"], "stream": true, "metadata": ["user_id": "u1"],
        "tools": [
          [
            "name": "time", "description": "Tells the time.",
            "input_schema": ["type": "object", "properties": [:]],
          ]
        ],
        "tool_choice": ["type": "any"],
        "output_config": ["format": ["type": "json_schema", "schema": ["type": "object"]]],
      ])
  }

  @Test func `generate sends the printed defaults and nothing else`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.anthropic.reply($0) }
    _ = await provider().generate(
      prompt: "Hello", parameters: ["system": "You are a physics professor"])
    #expect(
      server.requests.first?.json == [
        "model": "claude-sonnet-5-5", "max_tokens": 1_024, "system": "You are a physics professor",
        "messages": [["role": "user", "content": [["type": "text", "text": "Hello"]]]],
        "stream": true,
      ])
  }

  @Test func `a conversation with tools is sent as blocks`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.anthropic.reply($0) }
    let calls = [
      ChatToolCall(id: "t1", name: "turn", arguments: #"{"room":"hall"}"#),
      ChatToolCall(id: "t2", name: "stop", arguments: ""),
    ]
    _ = try await provider().reply(
      to: ChatRequest(
        messages: [
          .user("Light in the hall, then stop."),
          ChatMessage(role: .assistant, text: "I will.", toolCalls: calls),
          .tool("on", answering: "t1"), .tool("stopped", answering: "t2"), .user("Thanks."),
        ]))
    #expect(
      server.requests.first?.json["messages"] == [
        [
          "role": "user",
          "content": [["type": "text", "text": "Light in the hall, then stop."]],
        ],
        [
          "role": "assistant",
          "content": [
            ["type": "text", "text": "I will."],
            ["type": "tool_use", "id": "t1", "name": "turn", "input": ["room": "hall"]],
            ["type": "tool_use", "id": "t2", "name": "stop", "input": [:]],
          ],
        ],
        [
          "role": "user",
          "content": [
            ["type": "tool_result", "tool_use_id": "t1", "content": "on"],
            ["type": "tool_result", "tool_use_id": "t2", "content": "stopped"],
            ["type": "text", "text": "Thanks."],
          ],
        ],
      ])
  }

  @Test(arguments: [
    (ChatToolChoice.automatic, SendableValue.dictionary(["type": "auto"])),
    (.none, .dictionary(["type": "none"])),
    (.tool("time"), .dictionary(["type": "tool", "name": "time"])),
  ])
  func `each choice of tools has its own form`(
    _ choice: ChatToolChoice, _ form: SendableValue
  ) async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.anthropic.reply($0) }
    var request = ChatRequest("Hello")
    request.tools = [ChatTool(name: "time", description: "")]
    request.toolChoice = choice
    _ = try await provider().reply(to: request)
    #expect(server.requests.first?.json["tool_choice"] == form)
  }

  @Test func `a version without temperature is not sent one`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.anthropic.reply($0) }
    let provider = provider(version: "2026-10-21")
    var request = ChatRequest("Hello")
    #expect(try await provider.reply(to: request).text == "Echo: Hello")
    #expect(server.requests.first?.headers["anthropic-version"] == "2026-10-21")
    request.temperature = 0.5
    await #expect {
      try await provider.reply(to: request)
    } throws: { error in
      if case AIServiceError.invalidRequest(let text) = error {
        text.contains("2023-06-01")
      } else {
        false
      }
    }
    #expect(server.requests.count == 1)
  }

  @Test func `the first piece is read before the second is sent`() async throws {
    defer { server.stop() }
    let gate = ReplyGate()
    server.enqueue(
      .events([
        .event(#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":5}}}"#),
        .event(
          #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        .event(delta(0, #"{"type":"text_delta","text":"one"}"#)), .wait(gate),
        .event(delta(0, #"{"type":"text_delta","text":" two"}"#)),
        .event(#"{"type":"content_block_stop","index":0}"#),
        .event(
          #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"#
            + #""usage":{"output_tokens":2}}"#
        ),
        .event(#"{"type":"message_stop"}"#),
      ]))
    var pieces: [String] = []
    for try await event in provider().chat(ChatRequest("Count.")) {
      if case .text(let piece) = event { pieces.append(piece) }
      gate.open()
    }
    #expect(pieces == ["one", " two"])
  }

  @Test func `thinking and unknown blocks are skipped, tools assembled, tokens counted`()
    async throws
  {
    defer { server.stop() }
    server.enqueue(
      .events([
        .event(
          #"{"type":"message_start","message":{"id":"msg_1","content":[],"#
            + #""usage":{"input_tokens":25,"output_tokens":1}}}"#
        ),
        .event(
          #"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","#
            + #""thinking":""}}"#
        ),
        .event(delta(0, #"{"type":"thinking_delta","thinking":"Hm."}"#)),
        .event(delta(0, #"{"type":"signature_delta","signature":"EqQB"}"#)),
        .event(#"{"type":"content_block_stop","index":0}"#),
        .event(
          #"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"On"}}"#),
        .event(delta(1, #"{"type":"text_delta","text":" it."}"#)),
        .event(delta(1, #"{"type":"citations_delta","citation":{}}"#)),
        .event(#"{"type":"content_block_stop","index":1}"#),
        .event(#"{"type":"something_new","index":9}"#),
        .event(
          #"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","#
            + #""id":"toolu_1","name":"turn","input":{}}}"#
        ),
        .event(
          #"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","#
            + #""id":"toolu_2","name":"stop","input":{}}}"#
        ),
        .event(delta(2, #"{"type":"input_json_delta","partial_json":""}"#)),
        .event(delta(2, #"{"type":"input_json_delta","partial_json":"{\"room\":"}"#)),
        .event(delta(2, #"{"type":"input_json_delta","partial_json":" \"hall\"}"}"#)),
        .event(#"{"type":"content_block_stop","index":2}"#),
        .event(#"{"type":"content_block_stop","index":3}"#),
        .event(
          #"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"#
            + #""usage":{"output_tokens":89}}"#
        ),
        .event(#"{"type":"message_stop"}"#),
      ]))
    let provider = provider()
    let reply = try await provider.reply(to: ChatRequest("Light in the hall, then stop."))
    #expect(reply.text == "On it.")
    #expect(
      reply.toolCalls == [
        ChatToolCall(id: "toolu_1", name: "turn", arguments: #"{"room": "hall"}"#),
        ChatToolCall(id: "toolu_2", name: "stop", arguments: "{}"),
      ])
    #expect(reply.finish == .toolCalls)
    #expect(reply.usage == ServiceUsage(requests: 1, inputTokens: 25, outputTokens: 89))
    #expect(provider.client.usage == reply.usage)
    #expect(provider.client.usageByModel.keys.sorted() == ["claude-sonnet-5-5"])
  }

  @Test func `a complete answer is parsed`() async throws {
    defer { server.stop() }
    server.enqueue(
      .json(
        #"{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-5-5","#
          + #""content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Hi"},"#
          + #"{"type":"text","text":"!"},{"type":"tool_use","id":"t1","name":"wave","#
          + #""input":{"times":2,"hand":"left","to":{"b":1,"a":"/"}}}],"stop_reason":"tool_use","#
          + #""stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":2}}"#
      ))
    let reply = try await provider().reply(to: ChatRequest("Hello"))
    #expect(reply.text == "Hi!")
    #expect(
      reply.toolCalls == [
        // Always in the same order, so that it can be compared.
        ChatToolCall(
          id: "t1", name: "wave",
          arguments: #"{"hand":"left","times":2,"to":{"a":"/","b":1}}"#)
      ])
    #expect(reply.usage == ServiceUsage(requests: 1, inputTokens: 5, outputTokens: 2))
  }

  @Test(arguments: [
    ("end_turn", ChatFinish.complete), ("stop_sequence", .complete), ("max_tokens", .length),
    ("model_context_window_exceeded", .length), ("pause_turn", .other("pause_turn")),
  ])
  func `each finish reason is reported`(_ reason: String, _ finish: ChatFinish) async throws {
    defer { server.stop() }
    server.enqueue(
      .json("{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}],\"stop_reason\":\"\(reason)\"}"))
    #expect(try await provider().reply(to: ChatRequest("Hello")).finish == finish)
  }

  @Test func `a refusal gives its reason and is a failure of generate`() async throws {
    defer { server.stop() }
    server.reply { _ in
      .events([
        .event(#"{"type":"message_start","message":{"content":[]}}"#),
        .event(
          #"{"type":"message_delta","delta":{"stop_reason":"refusal","#
            + #""stop_details":{"type":"refusal","category":"harm","explanation":"Not that."}},"#
            + #""usage":{"output_tokens":0}}"#
        ),
        .event(#"{"type":"message_stop"}"#),
      ])
    }
    #expect(
      try await provider().reply(to: ChatRequest("Do harm.")).finish == .refused("Not that."))
    guard
      case .failure(.invalidRequest(let text)) = await provider().generate(
        prompt: "Do harm.", parameters: [:])
    else {
      Issue.record("not a failure")
      return
    }
    #expect(text.contains("Not that."))
  }

  @Test func `an error in a stream ends it, and earlier text stays valid`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([
        .event(#"{"type":"message_start","message":{"content":[]}}"#),
        .event(delta(0, #"{"type":"text_delta","text":"Half"}"#)),
        .send(
          "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"
        ),
      ]))
    let provider = provider()
    var text = ""
    await #expect {
      for try await event in provider.chat(ChatRequest("Go on.")) {
        if case .text(let piece) = event { text += piece }
      }
    } throws: { error in
      guard case AIServiceError.providerError(let message) = error else { return false }
      return message.contains("overloaded_error") && message.contains("Overloaded")
    }
    #expect(text == "Half")
    #expect(server.requests.count == 1)
  }

  @Test func `a stream without its end is a network error after its text`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([
        .event(#"{"type":"message_start","message":{"content":[]}}"#),
        .event(delta(0, #"{"type":"text_delta","text":"Half"}"#)),
      ]))
    var text = ""
    await #expect {
      for try await event in provider().chat(ChatRequest("Go on.")) {
        if case .text(let piece) = event { text += piece }
      }
    } throws: { if case AIServiceError.networkError = $0 { true } else { false } }
    #expect(text == "Half")
  }

  private static let errors: [(status: Int, type: String, requests: Int)] = [
    (400, "invalid_request_error", 1), (401, "authentication_error", 1), (402, "billing_error", 1),
    (403, "permission_error", 1), (404, "not_found_error", 1), (409, "conflict_error", 3),
    (413, "request_too_large", 1), (429, "rate_limit_error", 3), (500, "api_error", 3),
    (504, "timeout_error", 3), (529, "overloaded_error", 3),
  ]

  @Test(arguments: errors)
  func `each documented error is reported with its details`(
    _ status: Int, _ type: String, _ requests: Int
  ) async throws {
    defer { server.stop() }
    server.reply { _ in
      .json(
        "{\"type\":\"error\",\"error\":{\"type\":\"\(type)\",\"message\":\"So it is.\"},\"request_id\":\"req_7\"}",
        status: status)
    }
    let error = await #expect(throws: AIServiceError.self) {
      try await provider().reply(to: ChatRequest("Hello"))
    }
    let isRight =
      switch (status, error) {
      case (400, .invalidRequest), (404, .invalidRequest), (413, .invalidRequest),
        (401, .authenticationFailed), (403, .authenticationFailed), (402, .configurationError),
        (409, .providerError), (429, .rateLimitExceeded), (500..., .providerError):
        true
      default: false
      }
    #expect(isRight, "\(String(describing: error))")
    #expect(error?.message.contains(type) == true)
    #expect(error?.message.contains("req_7") == true)
    #expect(error?.message.contains("Anthropic") == true)
    #expect(server.requests.count == requests)
  }

  @Test func `a spending limit is not retried`() async throws {
    defer { server.stop() }
    server.reply { _ in
      .json(
        #"{"type":"error","error":{"type":"rate_limit_error","#
          + #""message":"Your spend limit is reached.","#
          + #""details":{"error_code":"enforced_spend_limit_reached"}}}"#,
        status: 429, headers: ["Retry-After": "1"])
    }
    await #expect {
      try await provider().reply(to: ChatRequest("Hello"))
    } throws: { error in
      guard case AIServiceError.configurationError(let text) = error else { return false }
      return text.contains("enforced_spend_limit_reached")
    }
    #expect(server.requests.count == 1)
    #expect(clock.waits.isEmpty)
  }

  @Test func `a refused model of the printed samples is reported with its successor`()
    async throws
  {
    defer { server.stop() }
    server.reply { _ in
      .json(
        #"{"type":"error","error":{"type":"not_found_error","#
          + #""message":"model: claude-3-opus-20240229"}}"#,
        status: 404)
    }
    let result = await provider().generate(
      prompt: "Hello", parameters: ["model": "claude-3-opus-20240229"])
    guard case .failure(.invalidRequest(let text)) = result else {
      Issue.record("not the failure: \(result)")
      return
    }
    #expect(text.contains("claude-opus-5-5"))
    #expect(server.requests.first?.json["model"] == "claude-3-opus-20240229")
  }

  @Test func `the list of models shows whether there is access`() async throws {
    defer { server.stop() }
    server.enqueue(.json(#"{"data":[],"has_more":false}"#), for: "/v1/models")
    try await provider().checkAccess()
    #expect(server.requests.first?.method == "GET")
    #expect(server.requests.first?.headers["anthropic-version"] == "2023-06-01")
  }

  private func delta(_ index: Int, _ delta: String) -> String {
    "{\"type\":\"content_block_delta\",\"index\":\(index),\"delta\":\(delta)}"
  }
}

extension ScriptedReply.Step {
  /// An event of Anthropic's streams, which are named after the type in their data.
  fileprivate static func event(_ data: String) -> ScriptedReply.Step {
    let json = try? JSONDecoder().decode(SendableValue.self, from: Data(data.utf8))
    return .send("event: \(json?["type"]?.stringValue ?? "")\ndata: \(data)\n\n")
  }
}
