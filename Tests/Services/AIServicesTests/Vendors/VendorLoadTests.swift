import AIServiceTesting
import ConformanceTesting
import Foundation
import TestSupport
import Testing

/// Tests of many concurrent and many cancelled generations.
struct VendorLoadTests {
  @Test(arguments: Vendor.allCases)
  func `a thousand concurrent generations get their own answers`(_ vendor: Vendor) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.reply { vendor.exchange.reply($0) }
    let provider = try await vendor.provider(at: server)
    let wrong = await withTaskGroup(of: String?.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          switch await provider.generate(prompt: "Hello \(number).", parameters: [:]) {
          case .success(let content):
            let text = content.dataContent.map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.hasSuffix("Echo: Hello \(number).") ? nil : "\(number): \(text)"
          case .failure(let error): return "\(number): \(error)"
          }
        }
      }
      return await group.compactMap { $0 }.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, the first \(wrong.first ?? "")")
    #expect(server.requests.count == 1_000)
    #expect(server.acceptedConnections <= 1_000)
    // One more request succeeds, so no place in the queue was leaked.
    guard case .success = await provider.generate(prompt: "Hello again.", parameters: [:]) else {
      Issue.record("not served any more")
      return
    }
  }

  @Test func `two hundred generations cancelled at random points leak nothing`() async {
    await #expect(processExitsWith: .success) {
      var random = SplitMix(seed: 20_261_122)
      // After the first round, thread pools and libraries hold what they keep permanently.
      try await CancelledGenerations.run(200, &random)
      let before = ProcessHoldings.now()
      try await CancelledGenerations.run(200, &random)
      // Connections are kept for later requests, and their number depends on the number of
      // simultaneous ones; a leak would occur for each of the two hundred.
      let after = ProcessHoldings.settled(since: before, spare: 8)
      #expect(after.isNoMore(than: before, spare: 8), "\(before) → \(after)")
      #expect(after.hasGrown(since: before, atMostKibibytes: 16 << 10))
    }
  }
}

enum Vendor: CaseIterable {
  case openAI, anthropic, elevenLabs

  var exchange: ServiceExchange {
    switch self {
    case .openAI: .openAI
    case .anthropic: .anthropic
    case .elevenLabs: .elevenLabs
    }
  }

  func provider(
    at server: LoopbackServer, concurrentRequests: Int = 64
  ) async throws -> any ServiceClientProvider {
    try await provider(
      at: server.url(), concurrentRequests: concurrentRequests,
      through: ServiceEnvironment(transport: CurlTransport(offline: OfflineMode())))
  }

  func provider(
    at address: URL, concurrentRequests: Int = 64,
    through environment: ServiceEnvironment
  ) async throws -> any ServiceClientProvider {
    let limits = ServiceLimits(
      concurrentRequests: concurrentRequests, failuresBeforeSuspension: .max)
    let credentials = AICredentialManager()
    func key(for id: String) async throws {
      try await credentials.store(
        credential: AICredential(providerID: id, type: .apiKey, name: "Test"),
        value: SecureString("sk-test-0123456789"))
    }
    switch self {
    case .openAI:
      var configuration = OpenAIConfiguration(baseURL: address.appending(path: "v1").absoluteString)
      configuration.limits = limits
      try await key(for: configuration.id)
      return OpenAIProvider(
        configuration: configuration, credentialManager: credentials, environment: environment)
    case .anthropic:
      var configuration = AnthropicConfiguration(baseURL: address.absoluteString)
      configuration.limits = limits
      try await key(for: configuration.id)
      return AnthropicProvider(
        configuration: configuration, credentialManager: credentials, environment: environment)
    case .elevenLabs:
      var configuration = ElevenLabsConfiguration(baseURL: address.absoluteString)
      configuration.limits = limits
      try await key(for: configuration.id)
      return ElevenLabsProvider(
        configuration: configuration, credentialManager: credentials, environment: environment)
    }
  }
}

private enum CancelledGenerations {
  /// Generations by all vendors, cancelled while they wait in the queue, connect, wait for a
  /// response, read one, or wait for a retry; some are not cancelled.
  static func run(_ count: Int, _ random: inout SplitMix) async throws {
    for vendor in Vendor.allCases {
      weak var client: ServiceClient?
      try await run(count / Vendor.allCases.count + 1, vendor, &random, &client)
      #expect(client == nil, "something still holds the client")
    }
  }

  private static func run(
    _ count: Int, _ vendor: Vendor, _ random: inout SplitMix, _ client: inout ServiceClient?
  ) async throws {
    let server = try LoopbackServer()
    server.reply { request in
      switch (Int(request.question.filter(\.isNumber)) ?? 0) % 5 {
      case 0: vendor.exchange.reply(request)
      case 1: .silent
      case 2: vendor.exchange.reply(request).stalling
      case 3: .json("{}", status: 500, headers: ["Retry-After": "15"])
      default: .closed
      }
    }
    let provider = try await vendor.provider(at: server, concurrentRequests: 8)
    client = provider.client
    let tasks = (0..<count).map { number in
      (number, Task { await provider.generate(prompt: "Hello \(number)", parameters: [:]) })
    }
    for (number, task) in tasks {
      for _ in 0..<random.next() % 60 { await Task.yield() }
      // Some of those with an immediate success are not cancelled.
      if number % 10 != 0 { task.cancel() }
    }
    for (number, task) in tasks {
      let result = await task.value
      if number % 10 == 0, case .failure(let error) = result {
        Issue.record("\(number) was let be and failed: \(error)")
      }
    }
    try await server.wait { $0.openConnections <= 32 }
    server.stop()
    try await server.wait { $0.openConnections == 0 }
  }
}

extension ScriptedReply {
  /// The same response without its end.
  fileprivate var stalling: ScriptedReply {
    ScriptedReply(raw: steps.dropLast(2) + [.stall])
  }
}
