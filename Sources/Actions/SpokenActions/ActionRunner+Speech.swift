import SpeechActions
import SpeechConcurrency

extension ActionRunner {
  /// Runs an action and speaks its answer while it arrives.
  ///
  /// - Parameter say: Takes the next words.
  /// - Throws: `ActionError`; `CancellationError`.
  @discardableResult
  nonisolated func speak(
    _ action: TextAction, on input: ActionInput, connectors: [Connector], _ say: (String) -> Void
  ) async throws -> ConnectorAnswer {
    var action = action
    // Colours cannot be spoken.
    action.postProcessing.removeAll { $0 == .ansi }
    let run = HandlerCall.suspended { self.run(action, on: input, connectors: connectors) }
    return try await withTaskCancellationHandler {
      try await Self.follow(run, SpokenAnswer(action, connectors: connectors), say)
    } onCancel: {
      run.cancel()
    }
  }

  private static func follow(
    _ run: ActionRun, _ answer: SpokenAnswer, _ say: (String) -> Void
  ) async throws -> ConnectorAnswer {
    var spoken = answer
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
