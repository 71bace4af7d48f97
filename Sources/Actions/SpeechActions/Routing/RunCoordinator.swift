import AIServices

/// Carries out what the routing decides for one run, and tells of it.
actor RunCoordinator {
  /// What comes in, in the order in which it happens.
  enum Input: Sendable {
    case cancel
    case deadline
    case late(token: Int)
    case report(attempt: Int, Attempt.Report)
  }

  private struct UnderWay {
    var candidate: Int
    var began: Duration
    /// When its first word came, from then on.
    var firstText: Duration?
    /// Whether it still counts; not so once it was called off.
    var counts = true
    /// When it lost to another one.
    var lost: Duration?
  }

  private let action: TextAction
  private let plan: RunPlan
  private let runner: ActionRunner
  private let clock: ServiceClock
  private let run: String
  private let original: String
  private let tasks: RunTasks
  private let inputs: AsyncStream<Input>.Continuation
  private let events: AsyncStream<RunEvent>.Continuation
  private var machine: RoutingMachine
  private var underWay: [Int: UnderWay] = [:]
  private var nextTask = 1
  private var answers: [Int: ConnectorAnswer] = [:]
  private var failures: [String: RunFailure] = [:]
  private var cost: Double?
  private var ending: ActionError?

  init(
    _ action: TextAction, original: String, plan: RunPlan, runner: ActionRunner, run: String,
    tasks: RunTasks, inputs: AsyncStream<Input>.Continuation,
    events: AsyncStream<RunEvent>.Continuation
  ) {
    self.action = action
    self.original = original
    self.plan = plan
    self.runner = runner
    clock = runner.clock
    self.run = run
    self.tasks = tasks
    self.inputs = inputs
    self.events = events
    machine = RoutingMachine(action.routing.mode, count: plan.candidates.count)
  }

  /// Runs to the end, when all that was begun has ended as well.
  func conduct(_ stream: AsyncStream<Input>) async -> RunOutcome {
    let began = clock.now()
    for (connector, error) in plan.excluded {
      fail(connector, RunFailure(error: error, latency: .zero, cost: nil))
    }
    if let deadline = action.routing.deadline { wake(after: deadline, with: .deadline) }
    await carryOut(machine.take(.begin))
    if !machine.isOver || !underWay.isEmpty {
      for await input in stream {
        await take(input)
        if machine.isOver, underWay.isEmpty { break }
      }
    }
    tasks.close()
    return RunOutcome(
      answers: answers.sorted { $0.key < $1.key }.map(\.value), failures: failures,
      error: answers.isEmpty ? ending ?? firstFailure : nil, latency: clock.now() - began,
      cost: cost)
  }

  /// What to say of a run in which all failed: what the first of the rule said.
  private var firstFailure: ActionError {
    let inOrder = plan.candidates.map(\.connector.id) + plan.excluded.map(\.connector)
    return inOrder.lazy.compactMap { self.failures[$0]?.error }.first
      ?? .noConnector("No connector was asked.")
  }

  private func take(_ input: Input) async {
    switch input {
    case .cancel:
      if !machine.isOver { ending = .cancelled }
      await carryOut(machine.take(.cancel))
    case .deadline:
      if !machine.isOver, let time = action.routing.deadline { ending = .deadlinePassed(time) }
      await carryOut(machine.take(.deadline))
    case .late(let token): await carryOut(machine.take(.late(token: token)))
    case .report(let attempt, let report): await take(report, of: attempt)
    }
  }

  private func take(_ report: Attempt.Report, of attempt: Int) async {
    guard let place = underWay[attempt] else { return }
    let index = place.candidate
    let connector = plan.candidates[index].connector
    switch report {
    case .text(let piece):
      guard place.counts else { return }
      if place.firstText == nil { underWay[attempt]?.firstText = clock.now() - place.began }
      await carryOut(machine.take(.began(index)))
      events.yield(.text(connector: connector.id, piece))
    case .finished(let answer):
      end(attempt, cost: answer.cost)
      guard place.counts else {
        return await runner.note(connector) { $0.noteCallingOff(cost: answer.cost) }
      }
      await finish(index, connector, answer)
    case .failed(let error, let latency, let cost):
      end(attempt, cost: cost)
      await runner.note(connector) { $0.noteFailure(error, cost: cost) }
      guard place.counts else { return }
      fail(connector.id, RunFailure(error: error, latency: latency, cost: cost))
      await carryOut(machine.take(.failed(index)))
    case .calledOff(let cost):
      end(attempt, cost: cost)
      // That it was too late is known of one that lost. Left out, what is usual would seem ever quicker.
      let waited = place.lost.map { place.firstText ?? $0 - place.began }
      await runner.note(connector) { monitor in
        if let waited { monitor.noteBeginning(after: waited) }
        monitor.noteCallingOff(cost: cost)
      }
    }
  }

  private func finish(_ index: Int, _ connector: Connector, _ answer: Attempt.Answer) async {
    do throws(ActionError) {
      let (text, structured) = try AnswerProcessing(action: action, original: original)
        .result(of: answer.raw)
      let whole = ConnectorAnswer(
        connector: connector.id, raw: answer.raw, text: text, structured: structured,
        latency: answer.latency, firstText: answer.firstText, usage: answer.usage,
        cost: answer.cost, isCached: answer.isCached, isCutOff: answer.isCutOff)
      answers[index] = whole
      failures[connector.id] = nil
      if !answer.isCached {
        await runner.note(connector) { monitor in
          if let time = answer.firstText { monitor.noteBeginning(after: time) }
          monitor.noteSuccess(latency: answer.latency, cost: answer.cost)
        }
      }
      events.yield(.finished(connector: connector.id, whole))
      await carryOut(machine.take(.succeeded(index)))
    } catch {
      await runner.note(connector) { $0.noteFailure(error, cost: answer.cost) }
      fail(
        connector.id, RunFailure(error: error, latency: answer.latency, cost: answer.cost))
      await carryOut(machine.take(.failed(index)))
    }
  }

  private func fail(_ connector: String, _ failure: RunFailure) {
    failures[connector] = failure
    events.yield(.failed(connector: connector, failure))
  }

  private func end(_ attempt: Int, cost: Double?) {
    underWay[attempt] = nil
    tasks.end(attempt)
    if let cost { self.cost = (self.cost ?? 0) + cost }
  }

  private func carryOut(_ steps: [RoutingMachine.Step]) async {
    for step in steps {
      switch step {
      case .ask(let index): ask(index)
      case .callOff(let index, let reason): callOff(index, reason)
      case .watch(let index, let token):
        wake(after: await lateness(of: plan.candidates[index].connector), with: .late(token: token))
      case .conclude: break
      }
    }
  }

  private func ask(_ index: Int) {
    let candidate = plan.candidates[index]
    let attempt = Attempt(
      action: action, connector: candidate.connector, request: candidate.request, run: run,
      runner: runner, clock: clock)
    let id = nextTask
    nextTask += 1
    let hasBegun = tasks.begin(id) { [inputs] in
      await attempt.perform { inputs.yield(.report(attempt: id, $0)) }
    }
    // Otherwise the user has called off the run, which will be heard of in a moment.
    guard hasBegun else { return }
    underWay[id] = UnderWay(candidate: index, began: clock.now())
    events.yield(.started(connector: candidate.connector.id))
  }

  private func callOff(_ index: Int, _ reason: CancellationReason) {
    let connector = plan.candidates[index].connector.id
    for (id, place) in underWay where place.candidate == index && place.counts {
      underWay[id]?.counts = false
      if reason == .lost { underWay[id]?.lost = clock.now() }
      tasks.cancel(id)
      events.yield(.cancelled(connector: connector, reason))
    }
  }

  private func lateness(of connector: Connector) async -> Duration {
    guard case .hedged(let delay) = action.routing.mode else { return .zero }
    switch delay {
    case .fixed(let time): return time
    case .observed(let otherwise):
      return await runner.health(of: connector).slowFirstText ?? otherwise
    }
  }

  private func wake(after time: Duration, with input: Input) {
    let id = nextTask
    nextTask += 1
    tasks.begin(id) { [clock, inputs] in
      guard (try? await clock.sleep(time)) != nil else { return }
      inputs.yield(input)
    }
  }
}
