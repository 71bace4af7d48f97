import AIServiceTesting
import AIServices
import Foundation
import Testing

@testable import SpeechActions

/// The behaviour of the first of two connectors. The second one works.
enum Failure: String, CaseIterable, Sendable {
  case none, status500, unauthorised, noCredit, reset, cut, webPage, notJSON, nothing, refused,
    silent

  var reply: ScriptedReply {
    switch self {
    case .none, .refused: .answer(["A"])
    case .status500: .json(#"{"error":{"message":"broken"}}"#, status: 500)
    case .unauthorised: .json(#"{"error":{"message":"no"}}"#, status: 401)
    case .noCredit:
      .json(#"{"error":{"code":"insufficient_quota","message":"pay"}}"#, status: 429)
    case .reset: .reset
    case .cut: .events([.piece("A"), .close])
    case .webPage: .text("<html></html>", contentType: "text/html")
    case .notJSON: .events([.send("data: {{{\n\n")])
    case .nothing: .answer([])
    case .silent: .silent
    }
  }
}

@Suite struct RoutingFailureTests {
  struct Trial: Sendable, CustomTestStringConvertible {
    let mode: String
    let fault: Failure
    /// The answers that count, the failures, and the cancellations with their reasons.
    let expected: String

    init(_ mode: String, _ fault: Failure, _ expected: String) {
      self.mode = mode
      self.fault = fault
      self.expected = expected
    }

    var testDescription: String { "\(mode) × \(fault)" }
  }

  /// The mode, the failure of the first connector, and the expected outcome.
  static let table: [Trial] = [
    Trial("sequential", .none, "a"),
    Trial("sequential", .status500, "b, failed a:providerError"),
    Trial("sequential", .unauthorised, "b, failed a:authenticationFailed"),
    Trial("sequential", .noCredit, "b, failed a:configurationError"),
    Trial("sequential", .reset, "b, failed a:networkError"),
    Trial("sequential", .cut, "b, failed a:networkError"),
    Trial("sequential", .webPage, "b, failed a:unexpectedResponseFormat"),
    Trial("sequential", .notJSON, "b, failed a:unexpectedResponseFormat"),
    Trial("sequential", .nothing, "b, failed a:unexpectedAnswer"),
    Trial("sequential", .refused, "b, failed a:connectionFailed"),
    Trial("sequential", .silent, "deadlinePassed, cancelled a:deadline"),

    Trial("parallel", .none, "a b"),
    Trial("parallel", .status500, "b, failed a:providerError"),
    Trial("parallel", .unauthorised, "b, failed a:authenticationFailed"),
    Trial("parallel", .noCredit, "b, failed a:configurationError"),
    Trial("parallel", .reset, "b, failed a:networkError"),
    Trial("parallel", .cut, "b, failed a:networkError"),
    Trial("parallel", .webPage, "b, failed a:unexpectedResponseFormat"),
    Trial("parallel", .notJSON, "b, failed a:unexpectedResponseFormat"),
    Trial("parallel", .nothing, "b, failed a:unexpectedAnswer"),
    Trial("parallel", .refused, "b, failed a:connectionFailed"),
    Trial("parallel", .silent, "b, cancelled a:deadline"),

    Trial("first-success", .none, "a, cancelled b:lost"),
    Trial("first-success", .status500, "b, failed a:providerError"),
    Trial("first-success", .unauthorised, "b, failed a:authenticationFailed"),
    Trial("first-success", .noCredit, "b, failed a:configurationError"),
    Trial("first-success", .reset, "b, failed a:networkError"),
    Trial("first-success", .cut, "b, failed a:networkError"),
    Trial("first-success", .webPage, "b, failed a:unexpectedResponseFormat"),
    Trial("first-success", .notJSON, "b, failed a:unexpectedResponseFormat"),
    Trial("first-success", .nothing, "b, failed a:unexpectedAnswer"),
    Trial("first-success", .refused, "b, failed a:connectionFailed"),
    Trial("first-success", .silent, "b, cancelled a:lost"),

    Trial("hedged", .none, "a"),
    Trial("hedged", .status500, "b, failed a:providerError"),
    Trial("hedged", .unauthorised, "b, failed a:authenticationFailed"),
    Trial("hedged", .noCredit, "b, failed a:configurationError"),
    Trial("hedged", .reset, "b, failed a:networkError"),
    Trial("hedged", .cut, "b, failed a:networkError"),
    Trial("hedged", .webPage, "b, failed a:unexpectedResponseFormat"),
    Trial("hedged", .notJSON, "b, failed a:unexpectedResponseFormat"),
    Trial("hedged", .nothing, "b, failed a:unexpectedAnswer"),
    Trial("hedged", .refused, "b, failed a:connectionFailed"),
    Trial("hedged", .silent, "b, cancelled a:lost"),
  ]

  static let hedgeDelay = Duration.milliseconds(700)
  static let deadline = Duration.seconds(20)

  @Test func `the table has every mode and every failure`() {
    let trials = Set(Self.table.map { $0.mode + $0.fault.rawValue })
    #expect(trials.count == ModeName.allCases.count * Failure.allCases.count)
  }

  @Test(.timeLimit(.minutes(20)), arguments: table)
  func `each mode handles each failure as in the table`(trial: Trial) async throws {
    let world = try ActionWorld()
    let mode: RoutingRule.Mode =
      switch trial.mode {
      case "parallel": .parallel
      case "first-success": .firstSuccess
      case "hedged": .hedged(after: .fixed(Self.hedgeDelay))
      default: .sequential
      }
    world.server("a").reply { _ in trial.fault.reply }
    // If both are asked at once, the second one waits for the outcome of the first.
    let gate = ReplyGate()
    world.server("b").reply { _ in .late("B", gate) }
    var connectors = world.connectors
    if trial.fault == .refused { world.server("a").stop() }
    connectors[0].timeout = .seconds(30)
    let run = world.run(.plain(mode, deadline: Self.deadline), connectors: connectors)
    if trial.mode == "hedged" || trial.fault == .silent || trial.mode == "sequential" {
      gate.open()
    }
    var events: [RunEvent] = []
    for await event in run.events {
      events.append(event)
      switch event {
      case .started("a") where trial.mode == "hedged" && trial.fault == .silent:
        try await world.clock.advance(toSleeperAfter: Self.hedgeDelay)
      case .started("a") where trial.mode == "sequential" && trial.fault == .silent:
        try await world.clock.advance(toSleeperAfter: Self.deadline)
      case .finished("b", _) where trial.mode == "parallel" && trial.fault == .silent:
        try await world.clock.advance(toSleeperAfter: Self.deadline)
      case .finished("a", _), .failed("a", _): gate.open()
      default: break
      }
    }
    let outcome = await run.outcome()
    #expect(Self.summary(outcome, events) == trial.expected)
    #expect(events.last == .completed(outcome))
    if trial.expected == "a", trial.mode != "parallel" { #expect(world.requests(of: "b") == 0) }
    // Events of a connector that was cancelled are not reported.
    for (index, event) in events.enumerated() {
      guard case .cancelled(let name, _) = event else { continue }
      #expect(!events[(index + 1)...].contains { $0.connector == name })
    }
  }

  /// A run as one line of text.
  static func summary(_ outcome: RunOutcome, _ events: [RunEvent]) -> String {
    var parts = [outcome.answers.map(\.connector).joined(separator: " ")]
    if let error = outcome.error { parts = [String(describing: error).prefixed] }
    let failed = outcome.failures.sorted { $0.key < $1.key }.map {
      "\($0.key):\($0.value.error.name)"
    }
    if !failed.isEmpty { parts.append("failed " + failed.joined(separator: " ")) }
    let cancelled = events.compactMap { event -> String? in
      if case .cancelled(let name, let reason) = event { "\(name):\(reason)" } else { nil }
    }
    if !cancelled.isEmpty { parts.append("cancelled " + cancelled.joined(separator: " ")) }
    return parts.joined(separator: ", ")
  }
}

extension RunEvent {
  var connector: String? {
    switch self {
    case .started(let name), .text(let name, _), .finished(let name, _), .failed(let name, _),
      .cancelled(let name, _):
      name
    case .completed: nil
    }
  }
}

extension ActionError {
  /// The name of the case, or of the service's error.
  fileprivate var name: String {
    if case .service(let error) = self { return String(describing: error).prefixed }
    return String(describing: self).prefixed
  }
}

extension String {
  fileprivate var prefixed: String { String(prefix { $0 != "(" }) }
}
