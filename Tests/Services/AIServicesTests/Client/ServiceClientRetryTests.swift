import AIServiceTesting
import Foundation
import Testing

@testable import AIServices

/// Tests of automatic retries and their delays.
struct ServiceClientRetryTests {
  private let service: TriedService

  init() throws {
    service = try TriedService()
  }

  private static let waits: [(header: String, value: String, wait: Duration)] = [
    ("Retry-After", "7", .seconds(7)), ("Retry-After", " 0.25 ", .milliseconds(250)),
    ("Retry-After", "0", .zero), ("retry-after-ms", "120", .milliseconds(120)),
    ("Retry-After", "Sun, 06 Nov 1994 08:49:40 GMT", .seconds(3)),
    ("Retry-After", "Sunday, 06-Nov-94 08:49:41 GMT", .seconds(4)),
    ("Retry-After", "Sun Nov  6 08:49:42 1994", .seconds(5)),
    // A moment in the past.
    ("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("x-ratelimit-reset", "784111787", .seconds(10)),
    // An invalid value leaves the delay to the client.
    ("Retry-After", "soon", .milliseconds(500)), ("Retry-After", "-5", .milliseconds(500)),
    ("Retry-After", "nan", .milliseconds(500)), ("Retry-After", "inf", .milliseconds(500)),
    ("Retry-After", "", .milliseconds(500)),
  ]

  @Test(arguments: waits, [429, 503])
  func `the delay is the requested one`(
    _ wish: (header: String, value: String, wait: Duration), _ status: Int
  ) async {
    defer { service.server.stop() }
    service.server.enqueue(
      .json("{}", status: status, headers: [wish.header: wish.value]), .json("{}"))
    #expect(await service.failure(of: service.client()) == nil)
    #expect(service.server.requests.count == 2)
    #expect(service.clock.waits == [wish.wait])
  }

  @Test func `milliseconds take precedence over seconds`() async {
    defer { service.server.stop() }
    service.server.enqueue(
      .json("{}", status: 429, headers: ["Retry-After": "9", "retry-after-ms": "1500"]), .json("{}")
    )
    #expect(await service.failure(of: service.client()) == nil)
    #expect(service.clock.waits == [.milliseconds(1_500)])
  }

  @Test(arguments: [("21", 21), ("20.5", 21), ("1e300", 3_200_000_000)])
  func `a delay beyond the limit fails at once and is reported`(
    _ wish: String, _ seconds: Int
  ) async {
    defer { service.server.stop() }
    service.server.reply { _ in .json("{}", status: 429, headers: ["Retry-After": wish]) }
    let failure = await service.failure(of: service.client())
    guard case .rateLimitExceeded(_, retryAfter: seconds) = failure else {
      Issue.record("not the failure: \(String(describing: failure))")
      return
    }
    #expect(failure?.isRecoverable == true)
    #expect(failure?.retryDelay == .seconds(seconds))
    #expect(service.server.requests.count == 1)
    #expect(service.clock.waits.isEmpty)
  }

  @Test func `delays double up to their limit, less the random part`() async {
    defer { service.server.stop() }
    service.server.reply { _ in .json("{}", status: 500) }
    let patient = RetryPolicy(limit: 6)
    var limits = ServiceLimits()
    limits.failuresBeforeSuspension = 100
    _ = await service.failure(of: service.client(limits: limits, retry: patient))
    #expect(service.clock.waits == [0.5, 1, 2, 4, 8, 8].map { Duration.seconds($0) })
    let other = TriedServiceClock(service)
    _ = await service.failure(of: service.client(limits: limits, retry: patient, random: 1))
    #expect(other.waits == [0.375, 0.75, 1.5, 3, 6, 6].map { Duration.seconds($0) })
  }

  @Test(arguments: [
    (400, 1), (401, 1), (402, 1), (403, 1), (404, 1), (408, 3), (409, 3), (413, 1), (422, 1),
    (429, 3), (500, 3), (501, 3), (502, 3), (503, 3), (504, 3), (529, 3), (599, 3),
  ])
  func `permanent failures are not retried`(_ status: Int, _ requests: Int) async {
    defer { service.server.stop() }
    service.server.reply { _ in .json("{}", status: status) }
    #expect(await service.failure(of: service.client()) != nil)
    #expect(service.server.requests.count == requests)
  }

  @Test func `the server's advice on retrying takes precedence`() async {
    defer { service.server.stop() }
    service.server.reply(to: "/v1/no") { _ in
      .json("{}", status: 500, headers: ["x-should-retry": "false", "Retry-After": "1"])
    }
    service.server.reply(to: "/v1/yes") { _ in
      .json("{}", status: 400, headers: ["x-should-retry": "true"])
    }
    _ = await service.failure(of: service.client(), .get("no"))
    #expect(service.server.requests.count == 1)
    _ = await service.failure(of: service.client(), .get("yes"))
    #expect(service.server.requests.count == 4)
  }

  @Test(arguments: ["code", "type"])
  func `lack of credit is final, whatever the status`(_ member: String) async {
    defer { service.server.stop() }
    service.server.reply { _ in
      .json(
        "{\"error\":{\"message\":\"Empty.\",\"\(member)\":\"insufficient_quota\"}}", status: 429,
        headers: ["x-should-retry": "true", "Retry-After": "1"])
    }
    let failure = await service.failure(of: service.client(permanentCodes: ["insufficient_quota"]))
    #expect(failure?.isConfigurationError == true, "\(String(describing: failure))")
    #expect(service.server.requests.count == 1)
  }

  @Test func `a call may lower the number of retries, not raise it`() async {
    defer { service.server.stop() }
    service.server.reply { _ in .json("{}", status: 500) }
    var call = ServiceCall.get("thing")
    call.retries = 0
    _ = await service.failure(of: service.client(), call)
    #expect(service.server.requests.count == 1)
    call.retries = 9
    _ = await service.failure(of: service.client(), call)
    #expect(service.server.requests.count == 4)
    _ = await service.failure(of: service.client(retry: .never))
    #expect(service.server.requests.count == 5)
  }

  @Test func `a failure before the response is retried, one within it is not`() async {
    defer { service.server.stop() }
    service.server.enqueue(.reset, .closed, .json("{}"))
    #expect(await service.failure(of: service.client()) == nil)
    #expect(service.server.requests.count == 3)
    service.server.enqueue(.chunked([.send("{"), .close]))
    let failure = await service.failure(of: service.client())
    guard case .networkError = failure else {
      Issue.record("not the failure: \(String(describing: failure))")
      return
    }
    #expect(service.server.requests.count == 4)
  }

  @Test func `retries are a small share of all requests`() async {
    defer { service.server.stop() }
    service.server.reply { _ in .json("{}", status: 429) }
    let client = service.client()
    for _ in 0..<30 { _ = await service.failure(of: client) }
    // Thirty requests, with twenty retries in the budget.
    #expect(service.server.requests.count == 50)
    service.server.reply { _ in .json("{}") }
    for _ in 0..<20 { _ = await service.failure(of: client) }
    service.server.reply { _ in .json("{}", status: 429) }
    let before = service.server.requests.count
    for _ in 0..<10 { _ = await service.failure(of: client) }
    // Twenty successes have returned two retries.
    #expect(service.server.requests.count == before + 12)
  }

  @Test func `all requests wait when the service asks for a pause`() async throws {
    defer { service.server.stop() }
    service.server.enqueue(
      .json("{}", status: 429, headers: ["Retry-After": "10"]), for: "/v1/first")
    service.server.reply { _ in .json("{}") }
    let client = service.client()
    #expect(await service.failure(of: client, .get("first")) == nil)
    // The pause ended while the first request waited, so no other request waits.
    #expect(await service.failure(of: client) == nil)
    #expect(service.clock.waits == [.seconds(10)])
  }

  @Test func `cancelling ends a delay, and nothing more is sent`() async throws {
    let server = service.server
    defer { server.stop() }
    server.reply { _ in .json("{}", status: 500) }
    let client = ServiceClient(
      name: "Tried", endpoint: ServiceEndpoint(baseURL: server.url().absoluteString), key: .none,
      environment: ServiceEnvironment(
        transport: CurlTransport(),
        retry: RetryPolicy(firstDelay: .seconds(600), longestDelay: .seconds(600))))
    let task = Task { try await client.data(for: .get("thing")) }
    try await server.wait { $0.requests.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.count == 1)
  }
}

/// The delays of a service's clock from now on.
private struct TriedServiceClock {
  private let service: TriedService
  private let skipped: Int

  init(_ service: TriedService) {
    self.service = service
    skipped = service.clock.waits.count
  }

  var waits: [Duration] { Array(service.clock.waits.dropFirst(skipped)) }
}
