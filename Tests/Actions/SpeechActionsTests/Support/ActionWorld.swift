import AIServiceTesting
import AIServices
import Foundation
import SpeechConcurrency

@testable import SpeechActions

/// Connectors to servers on this machine, with a clock that the test controls.
final class ActionWorld: Sendable {
  let servers: [String: LoopbackServer]
  let clock = SteppedClock()
  let runner: ActionRunner
  let transport: CountingTransport

  /// Creates a world with a server for each name.
  init(
    _ names: [String] = ["a", "b"], spending: SpendingLedger = SpendingLedger(),
    records: ConnectorRecords = ConnectorRecords()
  ) throws {
    servers = try Dictionary(uniqueKeysWithValues: names.map { ($0, try LoopbackServer()) })
    transport = CountingTransport()
    let (clock, start) = (clock, clock.now)
    runner = ActionRunner(
      credentials: AICredentialManager(),
      environment: ServiceEnvironment(
        transport: transport,
        clock: ServiceClock(clock) {
          Date(timeIntervalSince1970: 1_792_000_000) + start.duration(to: clock.now) / .seconds(1)
        },
        retry: RetryPolicy(firstDelay: .seconds(1), jitter: 0)), spending: spending,
      records: records)
  }

  deinit {
    for server in servers.values { server.stop() }
  }

  func server(_ name: String) -> LoopbackServer {
    guard let server = servers[name] else { preconditionFailure("there is no server \(name)") }
    return server
  }

  /// The connectors, in the order of their names.
  var connectors: [Connector] { servers.keys.sorted().map { connector($0) } }

  func connector(_ name: String) -> Connector {
    Connector(id: name, baseURL: server(name).url("/v1").absoluteString, model: "m")
  }

  func requests(of name: String) -> Int { server(name).requests.count }

  func run(
    _ action: TextAction, on text: String = "Guten Tag", connectors: [Connector]? = nil
  ) -> ActionRun {
    runner.run(
      action, on: ActionInput(text, targetLanguage: "English"),
      connectors: connectors ?? self.connectors)
  }

  func outcome(
    _ action: TextAction, on text: String = "Guten Tag", connectors: [Connector]? = nil
  ) async -> RunOutcome {
    await run(action, on: text, connectors: connectors).outcome()
  }
}

/// A transport that counts requests.
final class CountingTransport: HTTPTransport {
  private struct State {
    var sent = 0
    var isOver = false
    var sentLate = 0
  }

  private let transport = CurlTransport()
  private let state = Guarded(State())

  var sent: Int { state.withLock(\.sent) }
  /// The number of requests by tasks that were not cancelled, after the test declared the end.
  var sentLate: Int { state.withLock(\.sentLate) }

  func say(isOver: Bool) { state.withLock { $0.isOver = isOver } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let isCancelled = Task.isCancelled
    state.withLock { state in
      state.sent += 1
      if state.isOver, !isCancelled { state.sentLate += 1 }
    }
    return try await transport.send(request)
  }
}

extension TextAction {
  /// An action with only a routing rule.
  static func plain(
    _ mode: RoutingRule.Mode = .sequential, retries: Int = 0, deadline: Duration? = nil,
    cap: SpendingCap? = nil, cache: Duration? = nil, privacy: PrivacyRule = .anywhere
  ) -> TextAction {
    TextAction(
      id: "test", name: "Test", prompt: "Say: {{text}}",
      routing: RoutingRule(
        mode, retries: retries, deadline: deadline, spendingCap: cap, cacheLifetime: cache),
      privacy: privacy)
  }
}

extension ScriptedReply {
  /// A streamed answer.
  static func answer(
    _ pieces: [String], tokens: (Int, Int)? = (10, 5), gate: ReplyGate? = nil
  ) -> ScriptedReply {
    var steps = pieces.map { Step.piece($0) }
    if let gate { steps.insert(.wait(gate), at: min(1, steps.count)) }
    return .events(steps + Step.end(tokens))
  }

  /// An answer whose first token arrives when the gate opens.
  static func late(_ text: String, _ gate: ReplyGate) -> ScriptedReply {
    .events([.wait(gate), .piece(text)] + Step.end((10, 5)))
  }
}

extension ScriptedReply.Step {
  static func piece(_ text: String) -> Self {
    let value: SendableValue = ["choices": [["delta": ["content": .string(text)]]]]
    return .send("data: \(value.json)\n\n")
  }

  static func end(_ tokens: (Int, Int)?) -> [Self] {
    var steps: [Self] = []
    if let tokens {
      steps.append(
        .send(
          "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":\(tokens.0),\"completion_tokens\":"
            + "\(tokens.1)}}\n\n"))
    }
    return steps + [.send("data: [DONE]\n\n")]
  }
}
