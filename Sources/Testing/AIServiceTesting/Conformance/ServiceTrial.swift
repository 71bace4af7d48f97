import AIServices
import ConformanceTesting
import Foundation

/// A trial of one provider with one server and one law.
struct ServiceTrial: Sendable {
  /// A recognisable key, to detect leaks.
  static let key = "sk-marked-0123456789-canary-ABCDEFGH"

  /// A schema for structured data.
  private static let schema: SendableValue = [
    "type": "object", "properties": ["answer": ["type": "string"]], "required": ["answer"],
    "additionalProperties": false,
  ]

  let server: LoopbackServer
  let clock = SkippingClock()
  private let offline = OfflineMode()
  private let conformance: ServiceConformance
  private let credentials = AICredentialManager()

  init(_ conformance: ServiceConformance) async throws {
    self.conformance = conformance
    server = try LoopbackServer()
    let exchange = conformance.exchange
    server.reply { exchange.reply($0) }
  }

  func run(_ law: ServiceLaw) async throws {
    switch law {
    case .understandsAnswer: try await understandsAnswer()
    case .deliversCapabilities: try await deliversCapabilities()
    case .needsKey: try await needsKey()
    case .refusesBrokenKey: try await refusesBrokenKey()
    case .refusesUnknownParameters: try await refusesUnknownParameters()
    case .reportsRefusedKey: try await reports(401, as: AIServiceError.authenticationFailed)
    case .reportsForbidden: try await reports(403, as: AIServiceError.authenticationFailed)
    case .reportsUnknownModel: try await reports(404, as: AIServiceError.invalidRequest)
    case .reportsTooLarge: try await reports(413, as: AIServiceError.invalidRequest)
    case .waitsAsAsked: try await waitsAsAsked()
    case .declinesLongWaits: try await declinesLongWaits()
    case .backsOff: try await retries(429)
    case .retriesFailures: try await retriesFailures()
    case .retriesOverload: try await retries(529)
    case .followsNoRedirect: try await followsNoRedirect()
    case .noticesSilence: try await fails(with: .silent, as: AIServiceError.timeout)
    case .noticesStall: try await breaks(.stall, as: AIServiceError.timeout)
    case .noticesCut: try await breaks(.close, as: AIServiceError.networkError)
    case .noticesGarbage:
      if conformance.exchange.answersInJSON {
        try await fails(with: .json("{\"choices\": ["), as: AIServiceError.unexpectedResponseFormat)
      }
    case .noticesWebPage:
      try await fails(
        with: .text("<html>Welcome</html>", contentType: "text/html"),
        as: AIServiceError.unexpectedResponseFormat)
    case .noticesGiant: try await noticesGiant()
    case .reportsUnreachable: try await reportsUnreachable()
    case .staysOffline: try await staysOffline()
    case .obeysCancellation: try await obeysCancellation()
    case .keepsAnswersApart: try await keepsAnswersApart()
    case .keepsKeySecret: try await keepsKeySecret()
    }
  }

  // MARK: - The laws

  private func understandsAnswer() async throws {
    let provider = try await provider()
    let content = try await content(of: provider)
    try require(
      content.contentType == provider.responseType, "the content is not of the declared type")
    try require(conformance.exchange.isExpected(content), "the content is not what was answered")
    try require(server.requests.count == 1, "\(server.requests.count) requests for one question")
  }

  private func deliversCapabilities() async throws {
    let provider = try await provider()
    for capability in provider.capabilities {
      switch capability {
      case .textGeneration, .codeGeneration:
        try await delivers(.text, from: provider, for: capability)
      case .audioGeneration: try await delivers(.audio, from: provider, for: capability)
      case .imageGeneration: try await delivers(.image, from: provider, for: capability)
      case .videoGeneration: try await delivers(.data, from: provider, for: capability)
      case .structuredData:
        guard let reply = conformance.exchange.structuredReply else {
          throw ConformanceObjection("it claims structured data, and the exchange has none")
        }
        server.reply { reply($0) }
        try await delivers(
          .structured, from: provider, for: capability, parameters: ["response_schema": Self.schema]
        )
      case .embeddings, .transcription, .imageAnalysis:
        throw ConformanceObjection("a prompt cannot lead to \(capability.displayName)")
      case .custom: break
      }
    }
  }

  private func delivers(
    _ type: ResponseContent.ContentType, from provider: any AIServiceProvider,
    for capability: AICapability, parameters: [String: SendableValue] = [:]
  ) async throws {
    let prompt = conformance.exchange.prompt
    switch await provider.generate(prompt: prompt, parameters: parameters) {
    case .success(let content):
      try require(
        content.contentType == type, "\(capability.displayName) leads to \(content.contentType)")
      try require(content.dataContent?.isEmpty == false, "\(capability.displayName) is empty")
    case .failure(let error):
      throw ConformanceObjection("\(capability.displayName) fails: \(error)")
    }
  }

  private func needsKey() async throws {
    let provider = try await provider(key: nil)
    guard provider.requiresAPIKey else { return }
    try await expectFailure(of: provider, as: AIServiceError.missingCredentials)
    try require(server.requests.isEmpty, "something was sent without a key")
  }

  private func refusesBrokenKey() async throws {
    guard try await provider(key: nil).requiresAPIKey else { return }
    let manager = AICredentialManager(sources: [BrokenKey()])
    try await expectFailure(of: provider(credentials: manager), as: AIServiceError.invalidAPIKey)
    try require(server.requests.isEmpty, "something was sent with a broken key")
  }

  private func refusesUnknownParameters() async throws {
    try await expectFailure(
      of: provider(), parameters: ["nonsense_of_the_suite": 1], as: AIServiceError.invalidRequest)
    try require(server.requests.isEmpty, "something was sent in spite of it")
  }

  private func reports(
    _ status: Int, as kind: (String) -> AIServiceError
  ) async throws {
    try await fails(
      with: .json(#"{"error":{"message":"No.","code":"no"}}"#, status: status), as: kind)
    try require(server.requests.count == 1, "the request was sent again")
  }

  private func waitsAsAsked() async throws {
    server.enqueue(.json("{}", status: 429, headers: ["Retry-After": "7"]))
    _ = try await content(of: provider())
    try require(server.requests.count == 2, "the request was sent \(server.requests.count) times")
    try require(clock.waits == [.seconds(7)], "the waits were \(clock.waits), not 7 s")
  }

  private func declinesLongWaits() async throws {
    server.reply { _ in .json("{}", status: 429, headers: ["Retry-After": "100000"]) }
    try await expectFailure(of: provider(), as: { .rateLimitExceeded($0, retryAfter: 100_000) })
    try require(clock.waits.isEmpty, "it waited all the same")
  }

  private func retries(_ status: Int) async throws {
    server.enqueue(.json("{}", status: status))
    _ = try await content(of: provider())
    try require(server.requests.count == 2, "the request was sent \(server.requests.count) times")
    try require(clock.waits.count == 1, "there was no wait in between")
  }

  private func retriesFailures() async throws {
    server.reply { _ in .json("{}", status: 500) }
    try await expectFailure(of: provider(), as: AIServiceError.providerError)
    try require((2...3).contains(server.requests.count), "\(server.requests.count) requests")
  }

  private func followsNoRedirect() async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    let target = other.url("/elsewhere")
    server.reply { _ in .redirect(to: target, status: 307) }
    try await expectFailure(of: provider(), as: AIServiceError.configurationError)
    try require(other.acceptedConnections == 0, "the redirect was followed")
  }

  /// Sends the answer without its last bytes.
  private func breaks(
    _ end: ScriptedReply.Step, as kind: (String) -> AIServiceError
  ) async throws {
    let exchange = conformance.exchange
    server.reply { request in
      let reply = exchange.reply(request)
      let length = reply.steps.reduce(0) { sum, step in
        if case .bytes(let data) = step { sum + data.count } else { sum }
      }
      return reply.cut(after: length - 12, end)
    }
    try await expectFailure(of: provider(), as: kind)
    try require(server.requests.count == 1, "the request was sent again after an answer had begun")
  }

  private func fails(
    with reply: ScriptedReply, as kind: (String) -> AIServiceError
  ) async throws {
    server.reply { _ in reply }
    try await expectFailure(of: provider(), as: kind)
  }

  private func noticesGiant() async throws {
    let flood = Data(repeating: UInt8(ascii: "x"), count: 64 << 10)
    server.reply { _ in
      .chunked(
        [.send("{\"a\":\""), .endless(flood)], headers: ["Content-Type": "application/json"])
    }
    try await expectFailure(of: provider(), as: AIServiceError.unexpectedResponseFormat)
  }

  private func reportsUnreachable() async throws {
    let provider = try await provider()
    server.stop()
    try await expectFailure(of: provider, as: AIServiceError.connectionFailed)
  }

  private func staysOffline() async throws {
    let provider = try await provider()
    offline.isOn = true
    try await expectFailure(of: provider, as: AIServiceError.configurationError)
    try require(server.acceptedConnections == 0, "a connection was opened")
  }

  private func obeysCancellation() async throws {
    server.reply { _ in .silent }
    let provider = try await provider()
    let prompt = conformance.exchange.prompt
    let task = Task { await provider.generate(prompt: prompt, parameters: [:]) }
    try await server.wait { $0.requests.count == 1 }
    task.cancel()
    if case .success = await task.value { throw ConformanceObjection("it succeeded") }
    try await server.wait { $0.openConnections == 0 }
  }

  private func keepsAnswersApart() async throws {
    let provider = try await provider()
    let prompt = conformance.exchange.prompt
    let exchange = conformance.exchange
    let failures = await withTaskGroup(of: String?.self) { group in
      for number in 0..<50 {
        group.addTask {
          switch await provider.generate(prompt: "\(prompt) \(number)", parameters: [:]) {
          case .success(let content):
            exchange.isExpected(content) ? nil : "an answer was not the expected one"
          case .failure(let error): "a request failed: \(error)"
          }
        }
      }
      return await group.compactMap { $0 }.reduce(into: [String]()) { $0.append($1) }
    }
    try require(failures.isEmpty, failures.first ?? "")
    try require(server.requests.count == 50, "\(server.requests.count) requests for 50 questions")
  }

  private func keepsKeySecret() async throws {
    let key = Self.key
    // A service that echoes everything it receives, in each kind of failure.
    for status in [400, 401, 403, 404, 413, 422, 429, 500, 200, 302] {
      server.reply { request in
        let echo = request.headers.fields.map(\.value).joined(separator: " ") + " " + key
        return .json(
          "{\"error\":{\"message\":\"\(echo.filter { $0 != "\"" })\",\"code\":\"\(key)\"}}",
          status: status, headers: ["x-request-id": key])
      }
      let provider = try await provider()
      guard case .failure(let error) = await ask(provider) else { continue }
      var dumped = ""
      dump(error, to: &dumped)
      dump(provider, to: &dumped)
      let shown = [
        error.message, "\(error)", error.localizedDescription, String(reflecting: error), dumped,
        "\(provider)",
      ].joined()
      try require(!shown.contains(key), "the key shows after HTTP \(status)")
      try require(!shown.contains(key.prefix(12)), "a piece of the key shows after HTTP \(status)")
    }
    guard try await provider().requiresAPIKey else { return }
    try require(
      server.requests.allSatisfy { String(decoding: $0.head, as: UTF8.self).contains(key) },
      "the key is not in the head of a request")
    try require(
      server.requests.allSatisfy { !$0.target.contains(key) && !$0.text.contains(key) },
      "the key is in an address or a body")
  }

  // MARK: - The means

  private func provider(key: String? = ServiceTrial.key) async throws -> any AIServiceProvider {
    if let key {
      let id = provider(credentials: credentials).id
      let credential = AICredential(providerID: id, type: .apiKey, name: "Conformance")
      try await credentials.store(credential: credential, value: SecureString(key))
    }
    return provider(credentials: credentials)
  }

  private func provider(credentials: AICredentialManager) -> any AIServiceProvider {
    conformance.make(
      ServiceTestContext(
        baseURL: String(server.url().absoluteString.dropLast()), credentials: credentials,
        environment: ServiceEnvironment(
          transport: QuickTransport(transport: CurlTransport(offline: offline)),
          clock: ServiceClock(clock))))
  }

  private func ask(
    _ provider: any AIServiceProvider, parameters: [String: Int] = [:]
  ) async -> Result<ResponseContent, AIServiceError> {
    await provider.generate(prompt: conformance.exchange.prompt, parameters: parameters)
  }

  private func content(of provider: any AIServiceProvider) async throws -> ResponseContent {
    switch await ask(provider) {
    case .success(let content): return content
    case .failure(let error): throw ConformanceObjection("it failed: \(error)")
    }
  }

  private func expectFailure(
    of provider: any AIServiceProvider, parameters: [String: Int] = [:],
    as kind: (String) -> AIServiceError
  ) async throws {
    switch await ask(provider, parameters: parameters) {
    case .success: throw ConformanceObjection("it succeeded")
    case .failure(let error):
      try require(error == kind(error.message), "the error is \(error)")
      try require(!error.message.isEmpty, "the error says nothing")
    }
  }

  private func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw ConformanceObjection(text()) }
  }
}

/// The real transport with shorter timeouts: a server that is silent for a second stays silent.
private struct QuickTransport: HTTPTransport {
  let transport: CurlTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.timeouts.firstByte = .seconds(2)
    request.timeouts.idle = .seconds(2)
    request.responseLimit = min(request.responseLimit, 4 << 20)
    return try await transport.send(request)
  }
}

/// A source whose key contains a line break.
private struct BrokenKey: CredentialSource {
  let name = "a broken source"

  func entry(for id: CredentialID) async throws -> CredentialEntry? {
    CredentialEntry(
      credential: AICredential(providerID: id.providerID, type: id.type, name: "broken"),
      value: SecureString("sk-\r\nX-Injected: 1"))
  }

  func list() async throws -> [AICredential] { [] }
}
