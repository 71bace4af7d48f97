import AIServiceTesting
import Foundation
import Testing

/// Tests of the requests to ElevenLabs and of the parsing of its responses.
struct ElevenLabsWireTests {
  private let server: LoopbackServer
  private let credentials = AICredentialManager()
  private let clock = SkippingClock()

  init() async throws {
    server = try LoopbackServer()
    try await credentials.store(
      credential: AICredential(providerID: "elevenlabs", type: .apiKey, name: "Test"),
      value: SecureString("xi-test-0123456789"))
  }

  private func provider(
    _ change: (inout ElevenLabsConfiguration) -> Void = { _ in }
  ) -> ElevenLabsProvider {
    var configuration = ElevenLabsConfiguration(baseURL: server.url().absoluteString)
    change(&configuration)
    return ElevenLabsProvider(
      configuration: configuration, credentialManager: credentials,
      environment: ServiceEnvironment(transport: CurlTransport(), clock: ServiceClock(clock)))
  }

  @Test func `the dictionary door sends the printed defaults and returns MP3`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.elevenLabs.reply($0) }
    let provider = provider()
    let content = try await provider.generate(prompt: "Hello, world!", parameters: [:]).get()
    #expect(content.audioContent?.format == .mp3)
    #expect(content.audioContent?.data == Data("ID3Echo: Hello, world!".utf8))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream")
    #expect(request.query == "output_format=mp3_44100_128")
    #expect(request.headers["xi-api-key"] == "xi-test-0123456789")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(
      request.json == [
        "text": "Hello, world!", "model_id": "eleven_flash_v2_5",
        "voice_settings": ["stability": 0.5, "similarity_boost": 0.75],
      ])
    // The price in characters is the service's own figure.
    #expect(
      provider.client.usage == ServiceUsage(requests: 1, characters: "Hello, world!".count))
  }

  @Test func `all parameters are sent under their names on the wire`()
    async throws
  {
    defer { server.stop() }
    server.reply { ServiceExchange.elevenLabs.reply($0) }
    _ = await provider().generate(
      prompt: "Hello",
      parameters: [
        "voice_id": "AZnzlk1XvdvUeBnXmlld", "model_id": "eleven_monolingual_v1", "stability": 0.1,
        "clarity_boost": 0.2, "style": 0.3, "use_speaker_boost": true, "speed": 1.1,
        "language_code": "de-DE",
      ])
    let request = try #require(server.requests.first)
    #expect(request.path == "/v1/text-to-speech/AZnzlk1XvdvUeBnXmlld/stream")
    #expect(
      request.json == [
        "text": "Hello", "model_id": "eleven_monolingual_v1", "language_code": "de",
        "voice_settings": [
          "stability": 0.1, "similarity_boost": 0.2, "style": 0.3, "use_speaker_boost": true,
          "speed": 1.1,
        ],
      ])
  }

  @Test(arguments: [
    ["stability": 1.5], ["clarity_boost": -0.1], ["speed": 2.0], ["similarity_boost": 7.0],
  ])
  func `a value out of range is refused before anything is sent`(
    _ parameters: [String: Double]
  ) async throws {
    defer { server.stop() }
    let result = await provider().generate(prompt: "Hello", parameters: parameters)
    guard case .failure(.invalidRequest(let text)) = result else {
      Issue.record("not the failure: \(result)")
      return
    }
    #expect(text.contains(parameters.keys.first ?? "-"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    (ResponseContent.AudioFormat.mp3, "mp3_44100_128"), (.pcm, "pcm_22050"), (.wav, "wav_22050"),
    (.opus, "opus_48000_64"),
  ])
  func `each format has its own name`(
    _ format: ResponseContent.AudioFormat, _ name: String
  ) async throws {
    defer { server.stop() }
    server.reply { _ in .chunked([.send("ab")], headers: ["Content-Type": "audio/x-unknown"]) }
    let provider = provider {
      $0.sampleRate = 22_050
      $0.allowsLogging = false
    }
    let reply = try await provider.speak(SpeechRequest("Hello", format: format))
    #expect(reply.format == format)
    #expect(reply.sampleRate == (format == .pcm ? 22_050 : nil))
    _ = try await reply.collected()
    #expect(server.requests.first?.query == "output_format=\(name)&enable_logging=false")
  }

  @Test func `an unsupported format is refused`() async throws {
    defer { server.stop() }
    await #expect(throws: AIServiceError.self) {
      try await provider().speak(SpeechRequest("Hello", format: .flac))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `the first audio is read before the second is sent`() async throws {
    defer { server.stop() }
    let gate = ReplyGate()
    server.enqueue(
      .chunked([.send("one"), .wait(gate), .send("two")], headers: ["Content-Type": "audio/mpeg"]))
    var pieces: [String] = []
    for try await piece in try await provider().speak(SpeechRequest("Hello")).pieces {
      pieces.append(String(decoding: piece.audio, as: UTF8.self))
      gate.open()
    }
    #expect(pieces == ["one", "two"])
  }

  @Test func `speech with timings is parsed by lines in any pieces`() async throws {
    defer { server.stop() }
    let lines = [
      #"{"audio_base64":"QUI=","alignment":{"characters":["H","i"],"#
        + #""character_start_times_seconds":[0.0,0.1],"character_end_times_seconds":[0.1,0.2]},"#
        + #""normalized_alignment":null}"#,
      #"{"audio_base64":"Q0Q=","alignment":null,"normalized_alignment":null}"#, "",
      #"{"audio_base64":"RUY=","alignment":{"characters":["ü"],"#
        + #""character_start_times_seconds":[0.2],"character_end_times_seconds":[0.25]}}"#,
    ].joined(separator: "\n")
    let bytes = Data(lines.utf8)
    let gate = ReplyGate()
    // Split within the last line, and from there on into single bytes, also within a character.
    let cut = try #require(bytes.range(of: Data("RUY=".utf8))).lowerBound
    server.enqueue(
      .chunked(
        [.bytes(bytes.prefix(cut)), .wait(gate)]
          + bytes.dropFirst(cut).map { ScriptedReply.Step.bytes(Data([$0])) },
        headers: ["Content-Type": "application/json"]))
    let reply = try await provider().speak(
      SpeechRequest(
        "Hiü", format: .pcm, wantsTimings: true, previousText: "Before.", nextText: "After."))
    #expect(reply.format == .pcm)
    #expect(reply.sampleRate == 24_000)
    var pieces: [SpeechFragment] = []
    for try await piece in reply.pieces {
      pieces.append(piece)
      if pieces.count == 2 { gate.open() }
    }
    #expect(
      pieces == [
        SpeechFragment(
          audio: Data("AB".utf8),
          timings: [
            CharacterTiming(character: "H", start: 0, end: 0.1),
            CharacterTiming(character: "i", start: 0.1, end: 0.2),
          ]),
        SpeechFragment(audio: Data("CD".utf8)),
        SpeechFragment(
          audio: Data("EF".utf8),
          timings: [CharacterTiming(character: "ü", start: 0.2, end: 0.25)]),
      ])
    let request = try #require(server.requests.first)
    #expect(
      request.target
        == "/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream/with-timestamps?output_format=pcm_24000")
    #expect(request.json["previous_text"] == "Before.")
    #expect(request.json["next_text"] == "After.")
  }

  @Test(arguments: [
    #"{"audio_base64":"QUI=","alignment":{"characters":["H","i"],"#
      + #""character_start_times_seconds":[0.0],"character_end_times_seconds":[0.1,0.2]}}"#,
    #"{"audio_base64":"QUI=","alignment":{"characters":["H"],"#
      + #""character_start_times_seconds":[0.0],"character_end_times_seconds":[]}}"#,
    #"{"audio_base64":"not base 64"}"#, #"{"audio_base64":7}"#, "sound",
    #"{"audio_base64":"QUI=","alignment":{"characters":["#,
  ])
  func `inconsistent timings and invalid lines are refused`(_ line: String) async throws {
    defer { server.stop() }
    server.enqueue(.chunked([.send(line + "\n")], headers: ["Content-Type": "application/json"]))
    await #expect {
      try await provider().speak(SpeechRequest("Hi", format: .pcm, wantsTimings: true)).collected()
    } throws: { if case AIServiceError.unexpectedResponseFormat = $0 { true } else { false } }
  }

  @Test func `an error within a stream of timings is reported`() async throws {
    defer { server.stop() }
    server.enqueue(
      .chunked(
        [
          .send(#"{"audio_base64":"QUI="}"# + "\n"),
          .send(#"{"detail":{"status":"system_busy","message":"Busy."}}"#),
        ],
        headers: ["Content-Type": "application/json"]))
    var sound = Data()
    await #expect {
      let reply = try await provider().speak(
        SpeechRequest("Hi", format: .pcm, wantsTimings: true))
      for try await piece in reply.pieces { sound += piece.audio }
    } throws: { error in
      guard case AIServiceError.providerError(let text) = error else { return false }
      return text.contains("system_busy") && text.contains("Busy.")
    }
    #expect(sound == Data("AB".utf8))
  }

  @Test func `voices are read page by page, with optional members missing`() async throws {
    defer { server.stop() }
    server.enqueue(
      .json(
        #"{"voices":[{"voice_id":"v1","name":"Rachel","category":"premade","#
          + #""labels":{"accent":"american","gender":"female","language":"en","use_case":null},"#
          + #""description":"Calm.","verified_languages":[{"language":"en","#
          + #""model_id":"eleven_v4"},{"language":"de"}],"settings":null,"unknown":{}}],"#
          + #""has_more":true,"total_count":9,"next_page_token":"t/+1"}"#
      ),
      .json(
        #"{"voices":[{"voice_id":"v2","name":null,"labels":null,"verified_languages":null,"#
          + #""description":null},{"voice_id":"v3","name":"Adam","labels":{"language":"fr","#
          + #""use_case":"news"}}],"has_more":false,"next_page_token":null}"#
      ))
    let voices = try await provider().voices()
    #expect(
      voices == [
        ServiceVoice(
          id: "v1", name: "Rachel", languages: ["en", "de"], gender: "female", summary: "Calm."),
        ServiceVoice(id: "v2", name: "v2"),
        ServiceVoice(id: "v3", name: "Adam", languages: ["fr"], summary: "news"),
      ])
    #expect(
      server.requests.map(\.target) == [
        "/v2/voices?page_size=100", "/v2/voices?page_size=100&next_page_token=t/%2B1",
      ])
    #expect(server.requests.allSatisfy { $0.headers["xi-api-key"] == "xi-test-0123456789" })
  }

  @Test func `a service that repeats a page is abandoned`() async throws {
    defer { server.stop() }
    server.reply { _ in
      .json(#"{"voices":[{"voice_id":"v1"}],"has_more":true,"next_page_token":"same"}"#)
    }
    #expect(try await provider().voices().count == 2)
  }

  private static let errors: [(status: Int, body: String, fact: String, requests: Int)] = [
    (
      400,
      #"{"detail":{"type":"validation_error","code":"max_character_limit_exceeded","#
        + #""message":"Too long.","status":"max_character_limit_exceeded","request_id":"req_9","#
        + #""param":"text"}}"#,
      "max_character_limit_exceeded, request req_9): Too long.", 1
    ),
    (
      401, #"{"detail":{"status":"invalid_api_key","message":"Invalid API key"}}"#,
      "invalid_api_key", 1
    ),
    (
      401, #"{"detail":{"status":"quota_exceeded","message":"You have 3 credits left."}}"#,
      "no credit left for this account (HTTP 401, quota_exceeded): You have 3 credits left.", 1
    ),
    (402, #"{"detail":{"code":"payment_required","message":"Pay."}}"#, "payment_required", 1),
    (403, #"{"detail":"No access."}"#, "HTTP 403): No access.", 1),
    (
      404, #"{"detail":{"status":"voice_not_found","message":"A voice is not there."}}"#,
      "voice_not_found): A voice is not there.", 1
    ),
    (
      422,
      #"{"detail":[{"loc":["body","text"],"msg":"Field required","type":"missing"},"#
        + #"{"loc":["body",0],"msg":"Wrong","type":"x"}]}"#,
      "body: text: Field required; body: 0: Wrong", 1
    ),
    (
      429, #"{"detail":{"code":"rate_limit_exceeded","message":"Slowly."}}"#,
      "rate_limit_exceeded): Slowly.", 3
    ),
    (
      429, #"{"detail":{"status":"too_many_concurrent_requests","message":"Wait."}}"#,
      "too_many_concurrent_requests", 3
    ),
    (500, "<html>oops</html>", "HTTP 500", 3), (503, "", "HTTP 503", 3),
  ]

  @Test(arguments: errors)
  func `each documented error is reported with its details`(
    _ status: Int, _ body: String, _ fact: String, _ requests: Int
  ) async throws {
    defer { server.stop() }
    server.reply { _ in .json(body, status: status) }
    let error = await #expect(throws: AIServiceError.self) {
      try await provider().speak(SpeechRequest("Hello"))
    }
    let isRight =
      switch (status, error) {
      case (400, .invalidRequest), (404, .invalidRequest), (422, .invalidRequest),
        (403, .authenticationFailed), (402, .configurationError), (429, .rateLimitExceeded),
        (500..., .providerError):
        true
      case (401, .authenticationFailed): !body.contains("quota")
      case (401, .configurationError): body.contains("quota")
      default: false
      }
    #expect(isRight, "\(String(describing: error))")
    #expect(error?.message.contains(fact) == true, "\(error?.message ?? "")")
    #expect(server.requests.count == requests)
  }

  @Test func `no more than four requests run at once, however many are made`() async throws {
    defer { server.stop() }
    let gate = ReplyGate()
    server.reply { request in
      .chunked(
        [.send("a"), .wait(gate), .send(request.question)], headers: ["Content-Type": "audio/mpeg"])
    }
    let provider = provider()
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<12 {
        group.addTask {
          let sound = try await provider.speak(SpeechRequest("\(number)")).collected()
          return String(decoding: sound.dropFirst(), as: UTF8.self)
        }
      }
      try await gate.reached(times: 4)
      #expect(server.requests.count == 4)
      gate.open()
      let answers = try await group.reduce(into: Set<String>()) { $0.insert($1) }
      #expect(answers == Set((0..<12).map(String.init)))
    }
  }

  @Test func `other settings of the voice share health, limits and usage`() async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.elevenLabs.reply($0) }
    let provider = provider()
    var configuration = provider.configuration
    configuration.stability = nil
    configuration.similarityBoost = nil
    configuration.voice = "other"
    let other = provider.with(configuration)
    _ = try await other.speak(SpeechRequest("Hello")).collected()
    #expect(provider.client.usage.requests == 1)
    #expect(provider.client.health.successes == 1)
    #expect(server.requests.first?.path == "/v1/text-to-speech/other/stream")
    #expect(server.requests.first?.json["voice_settings"] == [:])
  }

  @Test(arguments: [
    ("../../v1/voices", "..%2F..%2Fv1%2Fvoices"), ("..", "..%20"), (".", ".%20"), ("", "%20"),
    ("a b?c#d", "a%20b%3Fc%23d"), ("$(reboot)\r\nX: 1\0", "%24%28reboot%29%0D%0AX:%201%00"),
    ("%2e%2e", "%252e%252e"), ("ü", "%C3%BC"),
  ])
  func `a voice's identifier stays one path segment`(
    _ voice: String, _ segment: String
  ) async throws {
    defer { server.stop() }
    server.reply { ServiceExchange.elevenLabs.reply($0) }
    _ = try await provider().speak(SpeechRequest("Hello", voice: voice)).collected()
    let request = try #require(server.requests.first)
    #expect(request.path == "/v1/text-to-speech/\(segment)/stream")
    #expect(request.headers["X"] == nil)
  }

  @Test func `access is tested by requesting one voice`() async throws {
    defer { server.stop() }
    server.enqueue(.json(#"{"voices":[],"has_more":false}"#))
    try await provider().checkAccess()
    #expect(server.requests.first?.target == "/v2/voices?page_size=1")
  }
}
