import SpeechCommand

enum ModelCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "model",
      summary: "Build language models from your own sentences, and measure them",
      discussion: """
        Dictation uses the probability of word sequences to choose among words that sound alike. For
        the sentences of your app, a model of your own recognises far better than the general one.
        """,
      examples: [
        "speechkit model build sentences.txt -o home": "Build a model with its dictionary",
        "speechkit model score home heldout.txt": "Measure it with other sentences",
        "speechkit transcribe --model home note.wav": "Use it",
      ]),
    [.command(BuildModelCommand.self), .command(ScoreModelCommand.self)])

  /// Runs work of several seconds in a task of its own, and passes cancellation on.
  static func outside<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let work = Task.detached { try body() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
