import AIServiceTesting
import Foundation
import Testing

/// Tests of the provider that the specification shows how to add.
struct NewProviderTests {
  private let server: LoopbackServer
  private let credentials = AICredentialManager()

  init() throws {
    server = try LoopbackServer()
  }

  private func provider(key: String? = "expected-prefix-0123456789") async throws -> NewProvider {
    if let key {
      try await credentials.store(
        credential: AICredential(providerID: "provider-id", type: .apiKey, name: "Test"),
        value: SecureString(key))
    }
    return NewProvider(
      credentialManager: credentials, baseURL: server.url("/v1").absoluteString)
  }

  @Test func `it sends requests and returns answers`() async throws {
    defer { server.stop() }
    server.reply { request in
      .json("{\"content\":\"\(request.json["prompt"]?.stringValue ?? "")!\",\"more\":1}")
    }
    let provider = try await provider()
    #expect(provider.baseURL == server.url("/v1").absoluteString)
    #expect(provider.timeout == 120)
    let content = try await provider.generate(prompt: "Hello", parameters: ["model": "m"]).get()
    #expect(content.text == "Hello!")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/path")
    #expect(request.headers["Authorization"] == "Bearer expected-prefix-0123456789")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.json == ["model": "m", "prompt": "Hello"])
  }

  @Test func `it is registered and found like any other`() async throws {
    defer { server.stop() }
    let manager = AIServiceManager()
    manager.register(try await provider())
    #expect(manager.provider(id: "provider-id")?.displayName == "Provider Name")
    #expect(manager.providers(withCapability: .textGeneration).count == 1)
    #expect(manager.providers(of: (any SpeechService).self).isEmpty)
    manager.register(OpenAIProvider(credentialManager: credentials))
    #expect(manager.providers(of: (any SpeechService).self).count == 1)
    #expect(manager.providers(withCapability: .audioGeneration).isEmpty)
    #expect(NewProvider.shared().baseURL == "https://api.provider.com")
  }

  @Test func `a missing and an invalid key are reported`() async throws {
    defer { server.stop() }
    guard
      case .failure(.missingCredentials) = try await provider(key: nil)
        .generate(prompt: "Hello", parameters: [:]),
      case .failure(.invalidAPIKey) = try await provider(key: "sk-other")
        .generate(prompt: "Hello", parameters: [:])
    else {
      Issue.record("another outcome")
      return
    }
    #expect(server.acceptedConnections == 0)
  }

  @Test(arguments: [401, 404, 429, 500])
  func `errors of the service are the toolkit's errors, without the key`(
    _ status: Int
  ) async throws {
    defer { server.stop() }
    server.reply { request in
      .json(
        "{\"error\":{\"message\":\"No: \(request.headers["Authorization"] ?? "")\"}}",
        status: status, headers: ["x-should-retry": "false"])
    }
    let result = try await provider().generate(prompt: "Hello", parameters: [:])
    guard case .failure(let error) = result else {
      Issue.record("no failure")
      return
    }
    let isRight =
      switch (status, error) {
      case (401, .authenticationFailed), (404, .invalidRequest), (429, .rateLimitExceeded),
        (500, .providerError):
        true
      default: false
      }
    #expect(isRight, "\(error)")
    #expect(!"\(error)".contains("0123456789"))
  }
}

/// Tests of the base class of such providers.
struct BaseHTTPProviderTests {
  private let server: LoopbackServer
  private let clock = SkippingClock()

  init() throws {
    server = try LoopbackServer()
  }

  private func provider(
    _ base: String? = nil, timeout: TimeInterval = 120
  ) -> BaseHTTPProvider {
    BaseHTTPProvider(
      baseURL: base ?? server.url("/v1").absoluteString, timeout: timeout,
      environment: ServiceEnvironment(transport: CurlTransport(), clock: ServiceClock(clock)))
  }

  @Test func `it reads, sends, and returns the response`() async throws {
    defer { server.stop() }
    server.reply(to: "/v1/list") { _ in .json("[1,2]") }
    server.reply(to: "/v1/sound") { .fixed(body: Data("sound of \($0.text)".utf8)) }
    let numbers: [Int] = try await provider().get(endpoint: "/list", headers: ["X-Own": "1"])
    #expect(numbers == [1, 2])
    #expect(server.requests.first?.method == "GET")
    #expect(server.requests.first?.headers["X-Own"] == "1")
    let data = try await provider().data(posting: ["a/b": 1], to: "sound")
    #expect(data == Data(#"sound of {"a/b":1}"#.utf8))
  }

  @Test func `a subclass may have the printed method for binary responses`() async throws {
    defer { server.stop() }
    server.reply(to: "/v1/sound") { .fixed(body: Data("sound of \($0.text)".utf8)) }
    let provider = BinaryProvider(baseURL: server.url("/v1").absoluteString)
    #expect(try await provider.speak("hello") == Data(#"sound of {"a/b":"hello"}"#.utf8))
    #expect(server.requests.first?.headers["X-Own"] == "1")
  }

  @Test func `an undocumented answer is an unexpected format`() async throws {
    defer { server.stop() }
    server.reply { _ in .json(#"{"numbers":"none"}"#) }
    await #expect {
      let _: [String: Int] = try await provider().get(endpoint: "list", headers: [:])
    } throws: { error in
      guard case AIServiceError.unexpectedResponseFormat(let text) = error else { return false }
      return text.contains("numbers")
    }
  }

  @Test func `its timeout is the given one`() async throws {
    defer { server.stop() }
    server.reply { _ in .silent }
    await #expect {
      let _: [Int] = try await provider(timeout: 0.2).get(endpoint: "list", headers: [:])
    } throws: { if case AIServiceError.timeout = $0 { true } else { false } }
    #expect(server.requests.count == 1)
  }

  @Test func `a body that cannot be encoded is reported`() async throws {
    defer { server.stop() }
    await #expect {
      let _: [Int] = try await provider().post(
        endpoint: "list", headers: [:], body: [Double.infinity])
    } throws: { if case AIServiceError.dataConversionError = $0 { true } else { false } }
    #expect(server.acceptedConnections == 0)
  }

  @Test(arguments: ["not an address", "ftp://example.com", "https://user:secret@example.com"])
  func `an invalid address is reported on use`(_ base: String) async throws {
    defer { server.stop() }
    await #expect {
      let _: [Int] = try await provider(base).get(endpoint: "list", headers: [:])
    } throws: { error in
      guard case AIServiceError.configurationError(let text) = error else { return false }
      return !text.contains("secret")
    }
  }

  @Test func `cancelling throws a cancellation error`() async throws {
    defer { server.stop() }
    server.reply { _ in .silent }
    let provider = provider()
    let task = Task { () -> [Int] in try await provider.get(endpoint: "list", headers: [:]) }
    try await server.wait { $0.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    try await server.wait { $0.openConnections == 0 }
  }
}
