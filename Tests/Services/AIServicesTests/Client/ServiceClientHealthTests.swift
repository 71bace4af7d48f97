import AIServiceTesting
import Foundation
import Testing

@testable import AIServices

/// Tests of the suspension of a failing service, and of its reported health.
struct ServiceClientHealthTests {
  private let service: TriedService
  private let limits = ServiceLimits(failuresBeforeSuspension: 3, suspension: .seconds(30))

  init() throws {
    service = try TriedService()
  }

  @Test func `a failing service is suspended, probed once, and used again`()
    async throws
  {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json(#"{"error":{"message":"Broken."}}"#, status: 500) }
    let client = service.client(limits: limits, retry: .never)
    #expect(client.health == ServiceHealth())

    for _ in 0..<3 { #expect(await service.failure(of: client)?.isProviderError == true) }
    #expect(client.health.state == .suspended(for: .seconds(30)))
    #expect(client.health.failures == 3)
    #expect(client.health.lastError?.message.contains("Broken.") == true)

    let refused = await service.failure(of: client)
    #expect(refused?.isConnectionFailed == true)
    #expect(refused?.message.contains("Broken.") == true, "\(refused?.message ?? "")")
    #expect(server.requests.count == 3)

    service.clock.advance(by: .seconds(31))
    #expect(client.health.state == .onTrial)
    #expect(await service.failure(of: client)?.isProviderError == true)
    #expect(client.health.state == .suspended(for: .seconds(30)))
    #expect(server.requests.count == 4)

    service.clock.advance(by: .seconds(31))
    server.reply { _ in .json("{}") }
    #expect(await service.failure(of: client) == nil)
    #expect(client.health.state == .working)
    #expect(client.health.successes == 1)
    #expect(client.health.lastError == nil)
    #expect(client.health.lastLatency != nil)
  }

  @Test func `while one request probes, the others fail at once`() async throws {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json("{}", status: 500) }
    let client = service.client(limits: limits, retry: .never)
    for _ in 0..<3 { _ = await service.failure(of: client) }
    service.clock.advance(by: .seconds(31))
    let gate = ReplyGate()
    server.reply { _ in ScriptedReply.json("{}").delayed(until: gate) }
    let probe = Task { await service.failure(of: client) }
    try await gate.reached()
    #expect(client.health.state == .onTrial)
    #expect(await service.failure(of: client)?.isConnectionFailed == true)
    #expect(server.requests.count == 4)
    gate.open()
    #expect(await probe.value == nil)
    #expect(await service.failure(of: client) == nil)
  }

  @Test func `a cancelled probe leaves it to the next request`() async throws {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json("{}", status: 500) }
    let client = service.client(limits: limits, retry: .never)
    for _ in 0..<3 { _ = await service.failure(of: client) }
    service.clock.advance(by: .seconds(31))
    let gate = ReplyGate()
    server.reply { _ in ScriptedReply.json("{}").delayed(until: gate) }
    let probe = Task { try await client.data(for: .get("thing")) }
    try await gate.reached()
    probe.cancel()
    await #expect(throws: CancellationError.self) { try await probe.value }
    gate.open()
    #expect(await service.failure(of: client) == nil)
    #expect(client.health.state == .working)
  }

  @Test func `interrupted responses count as consecutive failures`() async {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .chunked([.send("some"), .close]) }
    let client = service.client(limits: limits)
    for _ in 0..<3 { #expect(await service.failure(of: client) != nil) }
    #expect(client.health.state == .suspended(for: .seconds(30)))
    #expect(client.health.successes == 0)
    // After a suspension a response that has begun admits the others, and one more failure suspends
    // again.
    service.clock.advance(by: .seconds(31))
    #expect(await service.failure(of: client) != nil)
    #expect(client.health.state == .suspended(for: .seconds(30)))
    #expect(server.requests.count == 4)
  }

  @Test func `an invalid request says nothing about the service`() async {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json("{}", status: 400) }
    let client = service.client(limits: limits)
    for _ in 0..<5 { #expect(await service.failure(of: client)?.isInvalidRequest == true) }
    #expect(client.health.state == .working)
    #expect(client.health.failures == 5)
    #expect(server.requests.count == 5)
  }

  @Test func `no request waits only to be refused`() async {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json(#"{"error":{"message":"Broken."}}"#, status: 500) }
    let client = service.client(
      limits: ServiceLimits(failuresBeforeSuspension: 2, suspension: .seconds(30)))
    let failure = await service.failure(of: client)
    // The second failure suspends the service, so no third request is delayed.
    #expect(failure?.isProviderError == true)
    #expect(server.requests.count == 2)
    #expect(service.clock.waits == [.milliseconds(500)])
  }

  @Test func `an abandoned response is no failure and frees its place`()
    async throws
  {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .chunked([.send("a"), .stall]) }
    let client = service.client(limits: ServiceLimits(concurrentRequests: 1))
    for _ in 0..<3 {
      let response = try await client.response(to: .get("thing"))
      var pieces = response.body.makeAsyncIterator()
      #expect(try await pieces.next() == Data("a".utf8))
    }
    #expect(client.health.failures == 0)
    try await server.wait { $0.openConnections == 0 }
  }

  @Test func `a service may report any number of tokens`() {
    defer { service.server.stop() }
    let client = service.client()
    for count in [Int.max, Int.max, 1] {
      client.record(ServiceUsage(inputTokens: count, outputTokens: -count), model: "m")
    }
    #expect(client.usage.inputTokens == .max)
    #expect(client.usage.outputTokens <= -Int.max)
  }

  @Test func `usage is counted by model, and its cost estimated where the price is known`()
    async throws
  {
    defer { service.server.stop() }
    let client = service.client(prices: [
      "big": ServicePrice(perMillionInputTokens: 2, perMillionOutputTokens: 8),
      "voice": ServicePrice(perThousandCharacters: 0.3, perAudioMinute: 0.6),
    ])
    #expect(client.estimatedCost == nil)
    client.record(ServiceUsage(requests: 1, inputTokens: 1_000, outputTokens: 500), model: "big")
    client.record(ServiceUsage(requests: 1, inputTokens: 500), model: "big")
    client.record(ServiceUsage(requests: 1, characters: 100, audioSeconds: 30), model: "voice")
    client.record(ServiceUsage(requests: 7, inputTokens: 9), model: "unpriced")
    #expect(client.usageByModel["big"]?.inputTokens == 1_500)
    #expect(client.usage.requests == 10)
    let cost = try #require(client.estimatedCost)
    #expect(abs(cost - (0.003 + 0.004 + 0.03 + 0.3)) < 1e-9)
  }
}
