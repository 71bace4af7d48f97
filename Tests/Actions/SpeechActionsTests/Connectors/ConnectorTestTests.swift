import AIServiceTesting
import AIServices
import Foundation
import ServiceTestSupport
import Testing

@testable import SpeechActions

@Suite(.timeLimit(.minutes(20))) struct ConnectorTestTests {
  private func report(
    _ world: ActionWorld, key: String? = nil, _ change: (inout Connector) -> Void = { _ in }
  ) async throws -> ConnectorReport {
    let keys = AICredentialManager()
    if let key {
      try await keys.store(
        credential: AICredential(providerID: "k", type: .apiKey, name: "k"),
        value: SecureString(key))
    }
    var connector = world.connector("a")
    change(&connector)
    return await ConnectorTest(
      credentials: keys, environment: ServiceEnvironment(transport: CurlTransport())
    ).run(connector)
  }

  private static let models = ScriptedReply.json(#"{"data":[{"id":"m"},{"id":"large"}]}"#)

  @Test func `a working connector is reported with its models`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").enqueue(Self.models, .answer(["OK"]))
    let report = try await report(world)
    #expect(report.verdict == .works && report.answer == "OK" && report.models == ["m", "large"])
  }

  @Test func `a service without a list of models works`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").enqueue(.fixed(404), .answer(["OK"]))
    #expect(try await report(world).verdict == .works)
  }

  @Test(arguments: [
    (401, #"{"error":{"message":"bad key"}}"#, ConnectorReport.Verdict.key),
    (403, "{}", .key),
    (402, "{}", .quota),
    (429, #"{"error":{"code":"insufficient_quota","message":"no"}}"#, .quota),
    (429, "{}", .quota),
    (
      404, #"{"error":{"code":"model_not_found","message":"The model `m` does not exist"}}"#, .model
    ),
    (404, "not found", .notAnAPI),
    (500, "{}", .serviceFailed),
    (301, "", .notAnAPI),
  ])
  func `the reason for a refusal is reported`(
    status: Int, body: String, verdict: ConnectorReport.Verdict
  ) async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { request in
      request.method == "GET" && status < 500 ? .fixed(404) : .json(body, status: status)
    }
    let report = try await report(world)
    #expect(report.verdict == verdict, "\(report.message)")
    #expect(!report.message.isEmpty)
    // A test reports the present state, so no request is retried.
    #expect(world.requests(of: "a") <= 2)
  }

  @Test func `a web page is not a service`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .text("<html>", contentType: "text/html") }
    #expect(try await report(world).verdict == .notAnAPI)
  }

  @Test func `a misspelt model is reported with the nearest one`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").enqueue(Self.models)
    let report = try await report(world) { $0.model = "lagre" }
    #expect(report.verdict == .model && report.message.contains("“large”"))
  }

  @Test func `a missing key is reported before a request is sent`() async throws {
    let world = try ActionWorld(["a"])
    let report = try await report(world) { $0.credential = "k" }
    #expect(report.verdict == .key)
    #expect(world.requests(of: "a") == 0)
  }

  @Test func `a key is sent but never shown`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { request in
      .json(#"{"error":{"message":"key \#(request.headers["authorization"] ?? "")"}}"#, status: 400)
    }
    let report = try await report(world, key: "tell-nobody-123456") { $0.credential = "k" }
    #expect(world.server("a").requests[0].headers["authorization"] == "Bearer tell-nobody-123456")
    #expect(!report.message.contains("tell-nobody"))
  }

  @Test func `an unused port and an unknown host are distinguished`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").stop()
    #expect(try await report(world).verdict == .refused)
    let unknown = try await report(world) { $0.baseURL = "http://nowhere.invalid/v1" }
    #expect(unknown.verdict == .unknownHost)
  }

  @Test func `a silent service times out`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .silent }
    let report = try await report(world) { $0.timeout = .milliseconds(200) }
    #expect(report.verdict == .timedOut)
  }

  @Test func `an untrusted certificate is distinguished from a refusal`() async throws {
    let world = try ActionWorld(["a"])
    let secure = try await SecureLoopback(world.server("a"), TestCertificates())
    let report = try await report(world) { $0.baseURL = "https://localhost:\(secure.port)/v1" }
    #expect(report.verdict == .untrusted, "\(report.message)")
  }

  @Test func `a disabled network is reported`() async throws {
    let report = await ConnectorTest(
      credentials: AICredentialManager(),
      environment: ServiceEnvironment(transport: CurlTransport(offline: OfflineMode(isOn: true)))
    ).run(Connector(id: "x", baseURL: "https://api.example.org/v1"))
    #expect(report.verdict == .offline)
  }

  @Test func `an on-device connector always answers`() async throws {
    let report = await ConnectorTest(
      credentials: AICredentialManager(),
      environment: ServiceEnvironment(transport: CurlTransport(offline: OfflineMode(isOn: true)))
    ).run(Connector(id: "x", kind: .onDevice))
    #expect(report.verdict == .works)
  }

  @Test func `a missing model server is reported`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").stop()
    let gone = try await report(world) { $0.kind = .onDevice }
    #expect(gone.verdict == .refused, "\(gone.message)")
    let there = try ActionWorld(["a"])
    there.server("a").reply(to: "/v1/models") { _ in Self.models }
    there.server("a").reply(to: "/v1/chat/completions") { _ in .answer(["OK"]) }
    let good = try await report(there) { $0.kind = .onDevice }
    #expect(good.verdict == .works && good.models == ["m", "large"] && good.answer == "OK")
  }

  @Test func `Azure receives its address, key and version`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["OK"]) }
    let report = try await report(world, key: "tell-nobody-123456") { connector in
      connector.kind = .azure(deployment: "my model", apiVersion: "2024-10-21")
      connector.baseURL = connector.baseURL.replacingOccurrences(of: "/v1", with: "")
      connector.credential = "k"
    }
    #expect(report.verdict == .works, "\(report.message)")
    let request = world.server("a").requests[0]
    #expect(
      request.target
        == "/openai/deployments/my%20model/chat/completions?api-version=2024-10-21")
    #expect(request.headers["api-key"] == "tell-nobody-123456")
  }

  @Test func `Anthropic receives requests in its own format`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").enqueue(
      .json(#"{"data":[{"id":"m"}]}"#),
      .json(
        #"{"content":[{"type":"text","text":"OK"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}"#
      ))
    let report = try await report(world) { connector in
      connector.kind = .anthropic
      connector.baseURL = connector.baseURL.replacingOccurrences(of: "/v1", with: "")
    }
    #expect(report.verdict == .works && report.models == ["m"], "\(report.message)")
    #expect(world.server("a").requests.map(\.path) == ["/v1/models", "/v1/messages"])
  }
}
