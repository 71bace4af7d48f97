import AIServiceTesting
import Foundation
import Testing

@testable import AIServices

/// Tests of injected headers, and of the way in which keys are sent.
struct ServiceClientInjectionTests {
  private let service: TriedService
  private let credentials = AICredentialManager()

  init() throws {
    service = try TriedService()
    service.server.reply { _ in .json("{}") }
  }

  static let broken = [
    "a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "a\0b", "a\u{7F}b", "ключ",
    "a\u{2028}b",
  ]

  @Test(arguments: broken)
  func `a key with control characters is refused before anything is sent`(_ key: String) async {
    defer { service.server.stop() }
    let failure = await service.failure(of: service.client(key: key))
    guard case .invalidAPIKey(let text) = failure else {
      Issue.record("not the failure: \(String(describing: failure))")
      return
    }
    #expect(!text.contains("Injected"))
    #expect(service.server.acceptedConnections == 0)
  }

  @Test(arguments: broken)
  func `so is an organisation, a project, or a custom header`(_ value: String) async throws {
    defer { service.server.stop() }
    try await credentials.store(
      credential: AICredential(providerID: "openai", type: .apiKey, name: "Test"),
      value: SecureString("sk-test"))
    let base = service.server.url("/v1").absoluteString
    for configuration in [
      OpenAIConfiguration(baseURL: base, organization: value),
      OpenAIConfiguration(baseURL: base, project: value),
      OpenAIConfiguration(baseURL: base, headers: ["X-Own": value]),
      OpenAIConfiguration(baseURL: base, headers: [value: "own"]),
    ] {
      let provider = OpenAIProvider(
        configuration: configuration, credentialManager: credentials,
        environment: ServiceEnvironment(transport: CurlTransport()))
      guard case .failure(.invalidRequest) = await provider.generate(prompt: "Hi", parameters: [:])
      else {
        Issue.record("not the failure")
        continue
      }
    }
    #expect(service.server.acceptedConnections == 0)
  }

  @Test func `white space around a key is not part of it`() async {
    defer { service.server.stop() }
    #expect(await service.failure(of: service.client(key: " \t sk-test\r\n")) == nil)
    #expect(service.server.requests.first?.headers["Authorization"] == "Bearer sk-test")
  }

  @Test func `a key is sent as the endpoint prescribes, and only there`() async {
    defer { service.server.stop() }
    _ = await service.failure(of: service.client(key: "k1"))
    _ = await service.failure(of: service.client(key: "k2", authentication: .header("xi-api-key")))
    _ = await service.failure(of: service.client(key: "k3", authentication: .none))
    let requests = service.server.requests
    #expect(requests.map { $0.headers["Authorization"] } == ["Bearer k1", nil, nil])
    #expect(requests.map { $0.headers["xi-api-key"] } == [nil, "k2", nil])
  }

  @Test func `a newly stored key is used with the next request`() async throws {
    defer { service.server.stop() }
    let client = ServiceClient(
      name: "Tried", endpoint: ServiceEndpoint(baseURL: service.server.url().absoluteString),
      key: .stored(for: "tried", in: credentials),
      environment: ServiceEnvironment(transport: CurlTransport()))
    guard case .missingCredentials(let text) = await service.failure(of: client) else {
      Issue.record("no failure")
      return
    }
    #expect(text.contains("speechkit credentials set"))
    for key in ["first", "second"] {
      try await credentials.store(
        credential: AICredential(providerID: "tried", type: .apiKey, name: "Test"),
        value: SecureString(key))
      #expect(await service.failure(of: client) == nil)
    }
    #expect(
      service.server.requests.map { $0.headers["Authorization"] }
        == ["Bearer first", "Bearer second"])
  }

  @Test func `an expired key and a locked store have their own errors`() async throws {
    defer { service.server.stop() }
    func failure(_ error: AICredentialError, isRequired: Bool = true) async -> AIServiceError? {
      let client = ServiceClient(
        name: "Tried", endpoint: ServiceEndpoint(baseURL: service.server.url().absoluteString),
        key: ServiceKey(isRequired: isRequired) { throw error },
        environment: ServiceEnvironment(transport: CurlTransport()))
      return await service.failure(of: client)
    }
    guard case .authenticationFailed = await failure(.expired(providerID: "tried")),
      case .configurationError = await failure(.storeLocked("Locked.")),
      case .missingCredentials = await failure(.notFound(providerID: "tried")),
      case .invalidAPIKey = await failure(.invalidFormat("Bad."), isRequired: false)
    else {
      Issue.record("another error")
      return
    }
    #expect(await failure(.storeLocked("Locked."), isRequired: false) == nil)
  }
}
