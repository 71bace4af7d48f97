import Foundation

/// A run of an action.
///
/// ```swift
/// let run = runner.run(action, on: ActionInput("Guten Tag"), connectors: connectors)
/// for await event in run.events {
///   if case .text(_, let piece) = event { show(piece) }
/// }
/// let outcome = await run.outcome()
/// ```
public final class ActionRun: Sendable {
  /// A unique identifier, for lists of runs.
  public let id: String
  /// The events of the run, for one reader. `RunEvent.completed` is the last one. A reader that
  /// stops early cancels the run.
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
      Self.cancel(tasks, inputs)
    }
    task = Task {
      let outcome = await Self.outcome(
        of: action, on: input, connectors, runner, id, tasks, (stream, inputs), continuation)
      await runner.spending.close(run: id)
      inputs.finish()
      continuation.yield(.completed(outcome))
      // Saved after the answer, which does not wait for it.
      await runner.records.save()
      continuation.finish()
      return outcome
    }
  }

  /// Cancels the run immediately. No request is sent after this.
  public func cancel() {
    Self.cancel(tasks, inputs)
  }

  /// Returns the outcome when the run has ended. Can be called any number of times, whether or not
  /// the events are read.
  public func outcome() async -> RunOutcome { await task.value }

  private static func cancel(
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
