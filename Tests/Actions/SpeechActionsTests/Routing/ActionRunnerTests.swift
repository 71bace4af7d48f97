import AIServiceTesting
import AIServices
import Foundation
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechActions

@Suite(.timeLimit(.minutes(20))) struct ActionRunnerTests {
  @Test func `an answer arrives in pieces, with its usage`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["Good ", "day"], tokens: (1_000, 100)) }
    var connector = world.connector("a")
    connector.price = Connector.Price(input: 2, output: 10)
    let run = world.run(.translate, connectors: [connector])
    var events: [RunEvent] = []
    for await event in run.events { events.append(event) }
    let answer = try #require(await run.outcome().answer)
    #expect(answer.text == "Good day")
    #expect(answer.usage.inputTokens == 1_000)
    #expect(abs((answer.cost ?? 0) - 0.003) < 1e-12)
    #expect(
      events.dropLast(2) == [
        .started(connector: "a"), .text(connector: "a", "Good "), .text(connector: "a", "day"),
      ])
    let body = world.server("a").requests[0].text
    #expect(body.contains("Translate the text below into English."))
    #expect(body.contains("\\n\\nGuten Tag"))
    let health = await world.runner.health(of: connector)
    #expect(health.successes == 1 && health.state == .working && health.lastError == nil)
  }

  @Test func `a connector without streaming returns a complete answer`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { request in
      #expect(!request.text.contains("\"stream\""))
      return .json(
        #"{"choices":[{"message":{"content":"Hi"},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
      )
    }
    var connector = world.connector("a")
    connector.streams = false
    let answer = await world.outcome(.plain(), connectors: [connector]).answer
    #expect(answer?.text == "Hi")
    #expect(answer?.isCutOff == true)
  }

  @Test func `a request is retried as often as the action allows, on the run's clock`()
    async throws
  {
    let world = try ActionWorld(["a"])
    world.server("a").enqueue(.fixed(503), .fixed(503), .answer(["Hi"]))
    let run = world.run(.plain(retries: 2))
    try await world.clock.advance(toSleeperAfter: .seconds(1))
    try await world.clock.advance(toSleeperAfter: .seconds(2))
    #expect(await run.outcome().answer?.text == "Hi")
    #expect(world.requests(of: "a") == 3)

    world.server("a").enqueue(.fixed(503), .fixed(503))
    let once = world.run(.plain(retries: 1))
    try await world.clock.advance(toSleeperAfter: .seconds(1))
    #expect(await once.outcome().answer == nil)
    #expect(world.requests(of: "a") == 5)
  }

  @Test func `a hedged answer that fails is replaced by that of the connector that lost`()
    async throws
  {
    let world = try ActionWorld()
    let slow = ReplyGate()
    let breaks = ReplyGate()
    world.server("a").enqueue(.late("never read", slow), .answer(["A"]))
    world.server("b").reply { _ in .events([.piece("B"), .wait(breaks), .close]) }
    let run = world.run(.plain(.hedged(after: .fixed(.seconds(1)))))
    var course: [String] = []
    for await event in run.events {
      switch event {
      case .started(let name):
        course.append("started \(name)")
        if name == "a", course.count == 1 {
          try await world.clock.advance(toSleeperAfter: .seconds(1))
        }
      case .text(let name, _):
        course.append("text \(name)")
        if name == "b" { breaks.open() }
      case .finished(let name, _): course.append("finished \(name)")
      case .failed(let name, _): course.append("failed \(name)")
      case .cancelled(let name, let reason): course.append("cancelled \(name) \(reason)")
      case .completed: break
      }
    }
    #expect(
      course == [
        "started a", "started b", "cancelled a lost", "text b", "failed b", "started a", "text a",
        "finished a",
      ])
    #expect(await run.outcome().answer?.text == "A")
  }

  @Test func `no request is sent after cancelling`() async throws {
    let world = try ActionWorld()
    let gate = ReplyGate()
    world.server("a").reply { _ in .late("A", gate) }
    world.server("b").reply { _ in .answer(["B"]) }
    let run = world.run(.plain(.sequential))
    try await gate.reached()
    run.cancel()
    let outcome = await run.outcome()
    #expect(outcome.error == .cancelled)
    #expect(world.requests(of: "b") == 0)
    try await world.server("a").wait { $0.openConnections == 0 }
  }

  @Test func `no request is sent after cancelling at any moment`() async throws {
    var random = SeededNumbers(seed: 3)
    for round in 0..<150 {
      let world = try ActionWorld(["a", "b", "c"])
      for name in ["a", "b", "c"] {
        world.server(name).reply { _ in round.isMultiple(of: 3) ? .fixed(500) : .answer([name]) }
      }
      let mode: RoutingRule.Mode =
        [.sequential, .parallel, .firstSuccess, .hedged(after: .fixed(.zero))][round % 4]
      let run = world.run(.plain(mode))
      for _ in 0..<random.next(30) { await Task.yield() }
      run.cancel()
      world.transport.say(isOver: true)
      let outcome = await run.outcome()
      #expect(world.transport.sentLate == 0)
      #expect(outcome.error == .cancelled || outcome.error != nil || !outcome.answers.isEmpty)
    }
  }

  @Test func `a reader that stops early cancels the run`() async throws {
    let world = try ActionWorld(["a"])
    let gate = ReplyGate()
    world.server("a").reply { _ in .answer(["one", "two"], gate: gate) }
    let run = world.run(.plain())
    let reader = Task {
      for await event in run.events {
        if case .text = event { break }
      }
    }
    await reader.value
    reader.cancel()
    run.cancel()
    #expect(await run.outcome().error == .cancelled)
    try await world.server("a").wait { $0.openConnections == 0 }
  }

  @Test func `connections to losing connectors are closed`() async throws {
    let world = try ActionWorld()
    let gate = ReplyGate()
    world.server("a").reply { _ in .late("A", gate) }
    world.server("b").reply { _ in .answer(["B"]) }
    let outcome = await world.outcome(.plain(.firstSuccess))
    #expect(outcome.answers.map(\.connector) == ["b"])
    try await world.server("a").wait { $0.openConnections == 0 }
  }

  @Test func `the number of concurrent requests is limited`() async throws {
    let world = try ActionWorld(["a"])
    let gate = ReplyGate()
    world.server("a").reply { _ in .late("A", gate) }
    var connector = world.connector("a")
    connector.concurrency = 3
    let runs = (0..<10).map { _ in world.run(.plain(), connectors: [connector]) }
    try await gate.reached(times: 3)
    #expect(world.requests(of: "a") == 3)
    gate.open()
    for run in runs { #expect(await run.outcome().answer?.text == "A") }
    #expect(world.requests(of: "a") == 10)
  }

  @Test func `private text is only sent to this machine`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["A"]) }
    let far = Connector(id: "far", baseURL: "https://api.example.org/v1")
    let disguised = Connector(id: "disguised", baseURL: "http://127.0.0.1.example.org/v1")
    let action = TextAction.plain(.parallel, cache: .seconds(60), privacy: .thisMachine)
    let all = [far, disguised, world.connector("a")]
    let outcome = await world.outcome(action, connectors: all)
    #expect(outcome.answers.map(\.connector) == ["a"])
    for name in ["far", "disguised"] {
      guard case .notPrivate? = outcome.failures[name]?.error else {
        Issue.record("\(name) was asked")
        continue
      }
    }
    #expect(world.transport.sent == 1)
    #expect(await world.runner.cache.answers(at: world.runner.clock.date()).isEmpty)
    guard case .notPrivate? = await world.outcome(action, connectors: [far]).error else {
      Issue.record("it did not say why")
      return
    }
    #expect(world.transport.sent == 1)
  }

  @Test func `a cached answer needs no request, and expires`() async throws {
    let world = try ActionWorld(["a"])
    world.server("a").reply { _ in .answer(["A"]) }
    let action = TextAction.plain(cache: .seconds(60))
    #expect(await world.outcome(action).answer?.isCached == false)
    let second = await world.outcome(action)
    #expect(second.answer?.isCached == true && second.answer?.text == "A")
    #expect(world.requests(of: "a") == 1)
    _ = await world.outcome(action, on: "Gute Nacht")
    #expect(world.requests(of: "a") == 2)
    var other = world.connector("a")
    other.temperature = 0.5
    _ = await world.outcome(action, connectors: [other])
    #expect(world.requests(of: "a") == 3)
    var allowed = action
    allowed.privacy = .thisMachineCached
    #expect(await world.outcome(allowed).answer?.isCached == true)
    world.clock.advance(by: .seconds(61))
    #expect(await world.outcome(action).answer?.isCached == false)
  }

  @Test func `an answer that does not match its schema is a failure`() async throws {
    let world = try ActionWorld()
    world.server("a").reply { _ in .answer(["Sorry, I cannot."]) }
    world.server("b").reply { _ in
      .answer([
        #"{"corrected":"I am.","items":[{"original":"is","replacement":"am","#, #""reason":"x"}]}"#,
      ])
    }
    var action = TextAction.correct
    action.routing.retries = 0
    let outcome = await world.outcome(action, on: "I is.")
    #expect(outcome.answer?.connector == "b")
    #expect(outcome.answer?.structured?.replacement == "I am.")
    guard case .unexpectedAnswer? = outcome.failures["a"]?.error else {
      Issue.record("a did not fail")
      return
    }
    // A server that may not support schemas gets the schema in the prompt as well.
    #expect(world.server("a").requests[0].text.contains("response_format"))
    #expect(world.server("a").requests[0].text.contains("follows this JSON schema"))
  }

  @Test func `a run that cannot start reports the reason`() async throws {
    let world = try ActionWorld(["a"])
    let none = await world.outcome(.plain(), connectors: [])
    guard case .noConnector? = none.error else {
      Issue.record("\(String(describing: none.error))")
      return
    }
    var action = TextAction.plain()
    action.prompt = "{{txet}}"
    guard case .template(let diagnostics)? = await world.outcome(action).error else {
      Issue.record("no error was found")
      return
    }
    #expect(diagnostics[0].message.contains("Did you mean “text”?"))
    #expect(world.transport.sent == 0)
  }

  @Test func `hedging learns when a connector is late`() {
    var health = ConnectorHealth()
    for number in 1...7 { health.noteBeginning(after: .milliseconds(number)) }
    #expect(health.slowFirstText == nil)
    for number in 8...40 { health.noteBeginning(after: .milliseconds(number)) }
    #expect(health.slowFirstText == .milliseconds(38))
  }
}
