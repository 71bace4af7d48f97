import Foundation
import SpeechKit

/// `speechkit model`: language models from one's own sentences.
enum ModelCommands {
  static let group = CommandNode.group(
    CommandDeclaration(
      name: "model",
      summary: "Make language models of your own sentences, and see how well they fit",
      discussion: [
        "Dictation chooses among words that sound alike by which follow which. A model of what is said in your "
          + "app hears that far better than the general one."
      ],
      examples: [
        .init("speechkit model build sentences.txt -o home", "A model with its dictionary"),
        .init("speechkit model score home heldout.txt", "How well does it expect other sentences?"),
        .init("speechkit transcribe --model home note.wav", "Use it"),
      ]),
    [.command(BuildModelCommand.self), .command(ScoreModelCommand.self)])

  /// Runs what blocks for seconds where nobody waits for it.
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
