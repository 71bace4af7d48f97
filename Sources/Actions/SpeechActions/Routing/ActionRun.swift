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
  private let stop: @Sendable () -> Void

  init(
    _ action: TextAction, on input: ActionInput, connectors: [Connector], runner: ActionRunner
  ) {
    let id = UUID().uuidString.lowercased()
    let tasks = RunTasks()
    let (stream, inputs) = AsyncStream.makeStream(of: RunCoordinator.Input.self)
    let (events, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let stop: @Sendable () -> Void = {
      tasks.close()
      inputs.yield(.cancel)
    }
    self.id = id
    self.events = events
    self.stop = stop
    continuation.onTermination = { if case .cancelled = $0 { stop() } }
    task = Task {
      let began = runner.clock.date()
      let outcome: RunOutcome
      do {
        let plan = try await RunPlan(action, input, connectors) { connector in
          try await runner.service(for: connector).isLocal
        }
        let coordinator = RunCoordinator(
          action, original: input.text, plan: plan, runner: runner, run: id, tasks: tasks,
          inputs: inputs, events: continuation)
        outcome = await coordinator.conduct(stream)
      } catch {
        outcome = RunOutcome(
          answers: [], failures: [:], error: ActionError(running: error), latency: .zero, cost: nil)
      }
      await runner.spending.close(run: id)
      inputs.finish()
      await runner.history.note(RunRecord(outcome, of: action, on: input.text, id: id, at: began))
      continuation.yield(.completed(outcome))
      // Saved after the answer, which does not wait for it.
      await runner.records.save()
      await runner.history.save()
      continuation.finish()
      return outcome
    }
  }

  /// Cancels the run immediately. No request is sent after this.
  public func cancel() { stop() }

  /// Returns the outcome when the run has ended. Can be called any number of times, whether or not
  /// the events are read.
  public func outcome() async -> RunOutcome { await task.value }
}
