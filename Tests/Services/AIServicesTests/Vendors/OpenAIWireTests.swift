import AIServiceTesting
import Foundation
import SpeechConcurrency
import Testing

/// Tests of the requests to OpenAI and compatible servers, and of the parsing of their responses.
struct OpenAIWireTests {
  private let server: LoopbackServer
  private let credentials = AICredentialManager()

  init() async throws {
    server = try LoopbackServer()
    try await credentials.store(
      credential: AICredential(providerID: "openai", type: .apiKey, name: "Test"),
      value: SecureString("sk-test"))
  }

  private func provider(
    _ change: (inout OpenAIConfiguration) -> Void = { _ in }
  ) -> OpenAIProvider {
    var configuration = OpenAIConfiguration(
      baseURL: server.url("/v1").absoluteString, organization: "org-1", project: "proj-1")
    change(&configuration)
    return OpenAIProvider(
      configuration: configuration, credentialManager: credentials,
      environment: ServiceEnvironment(transport: CurlTransport()))
  }

  @Test func `a chat request has the documented form`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.openAI.reply($0) }
    let provider = provider {
      $0.usesMaxCompletionTokens = true
      $0.asksForUsage = true
    }
    _ = try await provider.reply(
      to: ChatRequest(
        messages: [.system("Be brief."), .user("Hello")], model: "gpt-5.6-sol", maxTokens: 50,
        temperature: 0.25, topP: 0.5, stop: ["END"],
        tools: [ChatTool(name: "time", description: "Tells the time.")], toolChoice: .automatic,
        extra: ["seed": 7]))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/chat/completions")
    #expect(request.headers["Authorization"] == "Bearer sk-test")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.headers["OpenAI-Organization"] == "org-1")
    #expect(request.headers["OpenAI-Project"] == "proj-1")
    #expect(request.headers["User-Agent"]?.hasPrefix("SpeechKit/") == true)
    #expect(
      request.json == [
        "model": "gpt-5.6-sol", "max_completion_tokens": 50, "temperature": 0.25, "top_p": 0.5,
        "messages": [
          ["role": "system", "content": "Be brief."], ["role": "user", "content": "Hello"],
        ],
        "stop": ["END"], "seed": 7, "stream": true, "stream_options": ["include_usage": true],
        "tools": [
          [
            "type": "function",
            "function": [
              "name": "time", "description": "Tells the time.",
              "parameters": ["type": "object", "properties": [:]],
            ],
          ]
        ], "tool_choice": "auto",
      ])
  }

  @Test func `generate sends the printed defaults and nothing else`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.openAI.reply($0) }
    _ = await provider().generate(prompt: "Hello", parameters: ["max_tokens": 20])
    #expect(
      server.requests.first?.json == [
        "model": "gpt-5.6-terra", "messages": [["role": "user", "content": "Hello"]],
        "temperature": 0.7, "max_tokens": 20, "stream": true,
      ])
  }

  @Test func `the first piece is read before the second is sent`() async throws {
    defer { server.stop() }
    let gate = ReplyGate()
    server.enqueue(
      .events([
        .send(#"data: {"choices":[{"delta":{"content":"one"}}]}"# + "\n\n"), .wait(gate),
        .send(#"data: {"choices":[{"delta":{"content":" two"},"finish_reason":"stop"}]}"# + "\n\n"),
        .send("data: [DONE]\n\n"),
      ]))
    var pieces: [String] = []
    for try await event in provider().chat(ChatRequest("Count.")) {
      if case .text(let piece) = event { pieces.append(piece) }
      gate.open()
    }
    #expect(pieces == ["one", " two"])
  }

  @Test func `tool calls are assembled from their pieces`() async throws {
    defer { server.stop() }
    let deltas = [
      #"{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"turn","arguments":""}}]}"#,
      #"{"tool_calls":[{"index":0,"function":{"arguments":"{\"room\":"}}]}"#,
      #"{"tool_calls":[{"index":1,"id":"call_2","function":{"name":"stop","arguments":"{}"}}]}"#,
      #"{"tool_calls":[{"index":0,"function":{"arguments":"\"hall\"}"}}]}"#,
    ]
    server.enqueue(
      .events(
        deltas.map { .send("data: {\"choices\":[{\"delta\":\($0)}]}\n\n") } + [
          .send(#"data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"# + "\n\n"),
          .send(
            #"data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}"# + "\n\n"),
          .send("data: [DONE]\n\n"),
        ]))
    let provider = provider()
    let reply = try await provider.reply(to: ChatRequest("Light in the hall, then stop."))
    #expect(
      reply.toolCalls == [
        ChatToolCall(id: "call_1", name: "turn", arguments: #"{"room":"hall"}"#),
        ChatToolCall(id: "call_2", name: "stop", arguments: "{}"),
      ])
    #expect(reply.finish == .toolCalls)
    #expect(reply.usage.inputTokens == 9)
    #expect(provider.client.usage == ServiceUsage(requests: 1, inputTokens: 9, outputTokens: 4))
  }

  @Test func `text before an error stays valid`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([
        .send(#"data: {"choices":[{"delta":{"content":"Half"}}]}"# + "\n\n"),
        .send(#"data: {"error":{"message":"Overloaded.","code":503}}"# + "\n\n"),
      ]))
    var text = ""
    await #expect(throws: AIServiceError.self) {
      for try await event in provider().chat(ChatRequest("Go on.")) {
        if case .text(let piece) = event { text += piece }
      }
    }
    #expect(text == "Half")
  }

  @Test func `an answer without streaming is parsed`() async throws {
    defer { server.stop() }
    server.enqueue(
      .json(
        #"{"id":"1","object":"chat.completion","choices":[{"index":0,"#
          + #""message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}],"#
          + #""usage":{"prompt_tokens":1,"completion_tokens":2}}"#
      ))
    let reply = try await provider().reply(to: ChatRequest("Answer."))
    #expect(reply.text == "Whole.")
    #expect(reply.usage.outputTokens == 2)
  }

  @Test func `a stream without its end marker is complete after its finish reason`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([
        .send(": OPENROUTER PROCESSING\n\n"),
        .send(#"data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}"# + "\n\n"),
      ]))
    #expect(try await provider().reply(to: ChatRequest("Hi")).text == "Hi")
  }

  @Test func `Azure gets its key, its version and its deployment`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.openAI.reply($0) }
    try await credentials.store(
      credential: AICredential(providerID: "azure", type: .apiKey, name: "Test"),
      value: SecureString("azure-key"))
    let azure = OpenAIProvider(
      configuration: .azure(
        baseURL: server.url("/openai/deployments/mine").absoluteString, deployment: "mine",
        apiVersion: "2024-10-21"), credentialManager: credentials,
      environment: ServiceEnvironment(transport: CurlTransport()))
    _ = try await azure.reply(to: ChatRequest("Hello"))
    let request = try #require(server.requests.first)
    #expect(request.target == "/openai/deployments/mine/chat/completions?api-version=2024-10-21")
    #expect(request.headers["api-key"] == "azure-key")
    #expect(request.headers["Authorization"] == nil)
  }

  @Test func `a retired model is refused with its successor, but only by its vendor`() async throws
  {
    defer { server.stop() }
    let vendor = OpenAIProvider(
      configuration: OpenAIConfiguration(), credentialManager: credentials,
      environment: ServiceEnvironment(transport: CurlTransport(offline: OfflineMode(isOn: true))))
    await #expect {
      try await vendor.reply(to: ChatRequest("Hello", model: "gpt-3.5-turbo"))
    } throws: { error in
      guard case AIServiceError.invalidRequest(let text) = error else { return false }
      return text.contains("gpt-5.6-terra") && text.contains("2026-10-23")
    }
    server.reply { ServiceExchange.openAI.reply($0) }
    #expect(
      try await provider().reply(to: ChatRequest("Hello", model: "gpt-3.5-turbo")).text
        == "Echo: Hello")
  }

  @Test func `embeddings are in the order of the texts, as numbers or bytes`() async throws {
    defer { server.stop() }
    server.enqueue(
      .json(
        #"{"object":"list","data":[{"object":"embedding","index":1,"embedding":[0.5,-1]},"#
          + #"{"object":"embedding","index":0,"embedding":"AACAPwAAAEA="}],"#
          + #""model":"text-embedding-3-small","usage":{"prompt_tokens":3,"total_tokens":3}}"#
      ))
    let reply = try await provider().embed(EmbeddingRequest(["a", "b"], dimensions: 2))
    #expect(reply.vectors == [[1, 2], [0.5, -1]])
    #expect(
      server.requests.first?.json == [
        "model": "text-embedding-3-small", "input": ["a", "b"], "dimensions": 2,
      ])
  }

  @Test func `the rate of speech comes from the content type before the configuration`()
    async throws
  {
    defer { server.stop() }
    server.enqueue(
      .chunked([.send("ab"), .send("c")], headers: ["Content-Type": "audio/pcm; rate=22050"]))
    let reply = try await provider().speak(
      SpeechRequest("Hello", voice: "coral", format: .pcm, speed: 1.5, instructions: "Calm."))
    #expect(reply.sampleRate == 22_050)
    #expect(try await reply.collected() == Data("abc".utf8))
    #expect(server.requests.first?.target == "/v1/audio/speech")
    #expect(
      server.requests.first?.json == [
        "model": "gpt-4o-mini-tts", "input": "Hello", "voice": "coral", "instructions": "Calm.",
        "response_format": "pcm", "speed": 1.5,
      ])
  }

  @Test func `a transcription sends the documented form and reads words`() async throws {
    defer { server.stop() }
    server.enqueue(
      .json(
        #"{"task":"transcribe","language":"english","duration":1.0,"text":"hello there","#
          + #""words":[{"word":"hello","start":0.0,"end":0.5},{"word":"there","start":0.5,"#
          + #""end":0.9}]}"#
      ))
    let reply = try await provider().transcription(
      of: TranscriptionRequest(
        audio: Data("RIFF".utf8), model: "whisper-1", language: "en", prompt: "names",
        wantsWords: true))
    #expect(reply.text == "hello there")
    #expect(reply.words.last == TranscribedWord(text: "there", start: 0.5, end: 0.9))
    #expect(reply.usage.audioSeconds == 1)
    let request = try #require(server.requests.first)
    #expect(request.target == "/v1/audio/transcriptions")
    let boundary = try #require(
      request.headers["Content-Type"]?.components(separatedBy: "boundary=").last)
    func field(_ name: String, _ value: String) -> String {
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    #expect(
      request.text
        == "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\""
        + "\r\nContent-Type: application/octet-stream\r\n\r\nRIFF\r\n"
        + field("model", "whisper-1") + field("language", "en") + field("prompt", "names")
        + field("response_format", "verbose_json") + field("timestamp_granularities[]", "word")
        + "--\(boundary)--\r\n")
  }

  @Test func `a streamed transcription has partial texts`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([
        .send("data: {\"type\":\"transcript.text.delta\",\"delta\":\"hello\"}\n\n"),
        .send("data: {\"type\":\"transcript.text.delta\",\"delta\":\" there\"}\n\n"),
        .send("data: {\"type\":\"transcript.text.done\",\"text\":\"hello there\"}\n\n"),
      ]))
    var events: [TranscriptionEvent] = []
    for try await event in provider().transcribe(
      TranscriptionRequest(audio: Data("RIFF".utf8), streams: true))
    {
      events.append(event)
    }
    #expect(
      events == [
        .text("hello"), .text(" there"),
        .finished(TranscriptionReply(text: "hello there", usage: ServiceUsage(requests: 1))),
      ])
  }

  @Test func `segments without types, as older servers send them, form a text`() async throws {
    defer { server.stop() }
    server.enqueue(
      .events([.send("data: {\"text\":\" one\"}\n\n"), .send("data: {\"text\":\" two\"}\n\n")]))
    let reply = try await provider().transcription(
      of: TranscriptionRequest(audio: Data("RIFF".utf8), streams: true))
    #expect(reply.text == "one two")
  }
}
