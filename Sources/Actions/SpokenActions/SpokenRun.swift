import SpeechActions
import SpeechConcurrency

/// A run of an action whose answer is spoken while it arrives.
struct SpokenRun: Sendable {
  private let action: TextAction
  private let input: ActionInput
  private let connectors: [Connector]
  private let runner: ActionRunner

  init(
    _ action: TextAction, on input: ActionInput, connectors: [Connector], runner: ActionRunner
  ) {
    var action = action
    // Colours cannot be spoken.
    action.postProcessing.removeAll { $0 == .ansi }
    self.action = action
    self.input = input
    self.connectors = connectors
    self.runner = runner
  }

  /// Runs the action and speaks its answer.
  ///
  /// - Throws: `ActionError`; `CancellationError`.
  @discardableResult
  func speak(_ say: (String) -> Void) async throws -> ConnectorAnswer {
    let run = HandlerCall.suspended {
      runner.run(action, on: input, connectors: connectors)
    }
    return try await withTaskCancellationHandler {
      try await follow(run, say)
    } onCancel: {
      run.cancel()
    }
  }

  private func follow(_ run: ActionRun, _ say: (String) -> Void) async throws -> ConnectorAnswer {
    var spoken = SpokenAnswer(action, connectors: connectors)
    for await event in run.events {
      if case .completed = event { try Task.checkCancellation() }
      for step in spoken.take(event) {
        switch step {
        case .say(let words): say(words)
        case .takeBack(let error):
          // Spoken words cannot be taken back here, and the answer of another connector would start
          // from the beginning.
          run.cancel()
          throw error
        }
      }
      guard case .completed(let outcome) = event else { continue }
      guard let answer = outcome.answer else {
        throw outcome.error ?? ActionError.noConnector("No connector answered. Try again.")
      }
      return answer
    }
    throw CancellationError()
  }
}
