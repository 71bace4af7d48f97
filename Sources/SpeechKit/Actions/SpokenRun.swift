import SpeechActions

/// A run of an action whose answer is said while it comes.
struct SpokenRun: Sendable {
  private let action: TextAction
  private let input: ActionInput
  private let connectors: [Connector]
  private let runner: ActionRunner

  init(
    _ action: TextAction, on input: ActionInput, connectors: [Connector], runner: ActionRunner
  ) {
    var action = action
    // Nobody hears colours.
    action.postProcessing.removeAll { $0 == .ansi }
    self.action = action
    self.input = input
    self.connectors = connectors
    self.runner = runner
  }

  /// Whether the first word of an answer settles whose answer is said.
  private var isSaidAsItComes: Bool {
    switch action.output {
    case .text, .markdown: break
    case .sentencePairs, .corrections, .diff, .json: return false
    }
    switch action.routing.mode {
    case .sequential, .hedged: return true
    case .parallel, .firstSuccess: return false
    }
  }

  /// Runs the action and says its answer.
  ///
  /// - Throws: `ActionError`; `CancellationError`.
  @discardableResult
  func speak(_ say: (String) -> Void) async throws -> ConnectorAnswer {
    let run = runner.run(action, on: input, connectors: connectors)
    return try await withTaskCancellationHandler {
      try await follow(run, say)
    } onCancel: {
      run.cancel()
    }
  }

  private func follow(_ run: ActionRun, _ say: (String) -> Void) async throws -> ConnectorAnswer {
    var plain = PlainSpeech()
    /// Whose words have been said.
    var speaker: String?
    for await event in run.events {
      switch event {
      case .text(let connector, let piece)
      where isSaidAsItComes && speaker ?? connector == connector:
        let words = plain.add(piece)
        guard !words.isEmpty else { continue }
        speaker = connector
        say(words)
      case .failed(let connector, let failure) where connector == speaker:
        // What was said cannot be taken back, and another's answer would begin anew.
        run.cancel()
        throw failure.error
      case .completed(let outcome):
        try Task.checkCancellation()
        guard let answer = outcome.answer else {
          throw outcome.error ?? ActionError.noConnector("Nobody answered. Try again.")
        }
        if speaker == nil { say(answer.spoken) }
        return answer
      case .started, .text, .finished, .failed, .cancelled: break
      }
    }
    throw CancellationError()
  }
}
