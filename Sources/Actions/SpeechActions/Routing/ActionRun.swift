import Foundation

/// An action that is being run.
///
/// ```swift
/// let run = runner.run(action, on: ActionInput("Guten Tag"), connectors: connectors)
/// for await event in run.events {
///   if case .text(_, let piece) = event { show(piece) }
/// }
/// let outcome = await run.outcome()
/// ```
public final class ActionRun: Sendable {
  /// A name for the run, for lists of them.
  public let id: String
  /// All that happens, for one reader; `RunEvent.completed` is the last. Who stops reading before calls the
  /// run off.
  public let events: AsyncStream<RunEvent>

  private let task: Task<RunOutcome, Never>
  private let tasks: RunTasks
  private let inputs: AsyncStream<RunCoordinator.Input>.Continuation

  init(
    _ action: TextAction, on input: ActionInput, connectors: [Connector], runner: ActionRunner
  ) {
    let id = UUID().uuidString.lowercased()
    let tasks = RunTasks()
    let (stream, inputs) = AsyncStream.makeStream(of: RunCoordinator.Input.self)
    let (events, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    self.id = id
    self.tasks = tasks
    self.inputs = inputs
    self.events = events
    continuation.onTermination = { ending in
      guard case .cancelled = ending else { return }
      Self.callOff(tasks, inputs)
    }
    task = Task {
      let outcome = await Self.outcome(
        of: action, on: input, connectors, runner, id, tasks, (stream, inputs), continuation)
      await runner.spending.close(run: id)
      inputs.finish()
      continuation.yield(.completed(outcome))
      // Behind the answer, which does not wait for it.
      await runner.records.save()
      continuation.finish()
      return outcome
    }
  }

  /// Calls the run off, at once: after this no request is sent any more.
  public func cancel() {
    Self.callOff(tasks, inputs)
  }

  /// How it ended. May be asked for any number of times; also by those who do not read the events.
  public func outcome() async -> RunOutcome { await task.value }

  private static func callOff(
    _ tasks: RunTasks, _ inputs: AsyncStream<RunCoordinator.Input>.Continuation
  ) {
    tasks.close()
    inputs.yield(.cancel)
  }

  private static func outcome(
    of action: TextAction, on input: ActionInput, _ connectors: [Connector],
    _ runner: ActionRunner, _ id: String, _ tasks: RunTasks,
    _ inputs: (AsyncStream<RunCoordinator.Input>, AsyncStream<RunCoordinator.Input>.Continuation),
    _ events: AsyncStream<RunEvent>.Continuation
  ) async -> RunOutcome {
    do {
      let plan = try await RunPlan(action, input, connectors) { connector in
        try await runner.service(for: connector).isLocal
      }
      let conductor = RunCoordinator(
        action, original: input.text, plan: plan, runner: runner, run: id, tasks: tasks,
        inputs: inputs.1, events: events)
      return await conductor.conduct(inputs.0)
    } catch {
      return RunOutcome(
        answers: [], failures: [:], error: ActionError(running: error), latency: .zero, cost: nil)
    }
  }
}
