import AIServices

/// Carries out the steps of the routing machine for one run, and reports its events.
actor RunCoordinator {
  enum Input: Sendable {
    case cancel
    case deadline
    case late(token: Int)
    case report(attempt: Int, Attempt.Report)
  }

  private struct RunningAttempt {
    var candidate: Int
    var began: Duration
    /// The time to the first token, once it has arrived.
    var firstText: Duration?
    var standing = Standing.counting

    var isCounting: Bool { if case .counting = standing { true } else { false } }

    /// The time to the first token, or until another connector was faster; `nil` for an attempt
    /// that did not lose.
    var waitedUntilLost: Duration? {
      guard case .lost(let time) = standing else { return nil }
      return firstText ?? time - began
    }
  }

  /// The effect of an attempt on the run.
  private enum Standing {
    case counting
    case cancelled
    /// Another connector was faster, at that time.
    case lost(at: Duration)
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
  private var attempts: [Int: RunningAttempt] = [:]
  private var nextTask = 1
  private var answers: [Int: ConnectorAnswer] = [:]
  private var failures: [String: RunFailure] = [:]
  private var cost: RunCost?
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

  /// Runs until all attempts have ended.
  func conduct(_ stream: AsyncStream<Input>) async -> RunOutcome {
    let began = clock.now()
    for (connector, error) in plan.excluded {
      fail(connector, RunFailure(error: error, latency: .zero, cost: nil))
    }
    if let deadline = action.routing.deadline { wake(after: deadline, with: .deadline) }
    await carryOut(machine.take(.begin))
    if !machine.isOver || !attempts.isEmpty {
      for await input in stream {
        await take(input)
        if machine.isOver, attempts.isEmpty { break }
      }
    }
    tasks.close()
    return RunOutcome(
      answers: answers.sorted { $0.key < $1.key }.map(\.value), failures: failures,
      error: answers.isEmpty ? ending ?? firstFailure : nil, latency: clock.now() - began,
      cost: cost?.amount, isCostEstimated: cost?.isEstimated ?? false)
  }

  /// The error of a run in which all connectors failed: that of the first connector of the rule.
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
    guard let place = attempts[attempt] else { return }
    let index = place.candidate
    let connector = plan.candidates[index].connector
    switch report {
    case .text(let piece):
      guard place.isCounting else { return }
      if place.firstText == nil { attempts[attempt]?.firstText = clock.now() - place.began }
      await carryOut(machine.take(.began(index)))
      events.yield(.text(connector: connector.id, piece))
    case .finished(let answer):
      end(attempt, cost: answer.runCost)
      guard place.isCounting else {
        return await runner.records.note(connector) { $0.noteCost(answer.cost) }
      }
      await finish(index, connector, answer)
    case .failed(let error, let latency, let cost):
      end(attempt, cost: cost)
      await runner.records.note(connector) { $0.noteFailure(error, cost: cost?.amount) }
      guard place.isCounting else { return }
      fail(
        connector.id,
        RunFailure(
          error: error, latency: latency, cost: cost?.amount,
          isCostEstimated: cost?.isEstimated ?? false))
      await carryOut(machine.take(.failed(index)))
    case .cancelled(let cost):
      end(attempt, cost: cost)
      // A connector that lost was late, which is an observation. Without it, the percentile would
      // become ever shorter.
      let waited = place.waitedUntilLost
      await runner.records.note(connector) { health in
        if let waited { health.noteBeginning(after: waited) }
        health.noteCost(cost?.amount)
      }
    }
  }

  private func finish(_ index: Int, _ connector: Connector, _ answer: ConnectorAnswer) async {
    do throws(ActionError) {
      var whole = answer
      (whole.text, whole.structured) = try action.processed(answer.raw, original: original)
      answers[index] = whole
      failures[connector.id] = nil
      if !answer.isCached {
        await runner.records.note(connector) { health in
          if let time = answer.firstText { health.noteBeginning(after: time) }
          health.noteSuccess(latency: answer.latency, cost: answer.cost)
        }
      }
      events.yield(.finished(connector: connector.id, whole))
      await carryOut(machine.take(.succeeded(index)))
    } catch {
      await runner.records.note(connector) { $0.noteFailure(error, cost: answer.cost) }
      fail(
        connector.id,
        RunFailure(
          error: error, latency: answer.latency, cost: answer.cost,
          isCostEstimated: answer.isCostEstimated))
      await carryOut(machine.take(.failed(index)))
    }
  }

  private func fail(_ connector: String, _ failure: RunFailure) {
    failures[connector] = failure
    events.yield(.failed(connector: connector, failure))
  }

  private func end(_ attempt: Int, cost: RunCost?) {
    attempts[attempt] = nil
    tasks.end(attempt)
    if let cost { self.cost = (self.cost ?? .none) + cost }
  }

  private func carryOut(_ steps: [RoutingMachine.Step]) async {
    for step in steps {
      switch step {
      case .ask(let index): ask(index)
      case .cancel(let index, let reason): cancel(index, reason)
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
      runner: runner)
    let id = nextTask
    nextTask += 1
    let hasBegun = tasks.begin(id) { [inputs] in
      await attempt.perform { inputs.yield(.report(attempt: id, $0)) }
    }
    // Otherwise the user has cancelled the run, and the input for that follows.
    guard hasBegun else { return }
    attempts[id] = RunningAttempt(candidate: index, began: clock.now())
    events.yield(.started(connector: candidate.connector.id))
  }

  private func cancel(_ index: Int, _ reason: CancellationReason) {
    let connector = plan.candidates[index].connector.id
    for (id, place) in attempts where place.candidate == index && place.isCounting {
      attempts[id]?.standing = reason == .lost ? .lost(at: clock.now()) : .cancelled
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

extension ConnectorAnswer {
  fileprivate var runCost: RunCost? {
    cost.map { RunCost(amount: $0, isEstimated: isCostEstimated) }
  }
}
