#if Cloud
import Foundation
import SpeechCommand
import SpeechConcurrency

/// Asks the user questions, or reads the answers from a pipe, one per line.
///
/// It has a queue of its own, because reading blocks. Cancelling the task ends the wait.
actor Questionnaire {
  private let executor = SerialQueueExecutor(label: "speechkit.questions")
  private let terminal: Terminal
  /// True if all questions with a default are answered with it.
  private let assumesDefaults: Bool
  private var rest = Data()
  private var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(terminal: Terminal, assumesDefaults: Bool) {
    self.terminal = terminal
    self.assumesDefaults = assumesDefaults
  }

  /// True if the answers are typed at a terminal.
  nonisolated static var isPerson: Bool { isatty(STDIN_FILENO) == 1 }

  /// True if no answer is left, so that a question is answered with its default.
  var hasEnded: Bool { isOver && rest.isEmpty }

  /// Asks for text. An empty answer means the default; without one, an answer is required.
  func ask(_ question: String, default defaultAnswer: String? = "") async throws -> String {
    while true {
      let hint = defaultAnswer.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
      await terminal.note("\(question)\(hint)")
      if assumesDefaults, let defaultAnswer { return defaultAnswer }
      guard let line = try nextLine() else {
        guard let defaultAnswer else { throw Self.hasEndedEarly }
        return defaultAnswer
      }
      let answer = line.trimmingCharacters(in: .whitespaces)
      if !answer.isEmpty { return answer }
      if let defaultAnswer { return defaultAnswer }
    }
  }

  static let hasEndedEarly = CommandFailure(
    .noInput,
    "The answers ended before this question. Run the command in a terminal, or pass options.")

  func confirm(_ question: String, default defaultAnswer: Bool) async throws -> Bool {
    while true {
      let answer = try await ask("\(question) (yes or no)", default: defaultAnswer ? "yes" : "no")
        .lowercased()
      if ["y", "yes"].contains(answer) { return true }
      if ["n", "no"].contains(answer) { return false }
      await terminal.note("Answer yes or no.")
    }
  }

  /// Asks for one of several choices, by its number or its word.
  func choose(
    _ question: String, among choices: [(word: String, text: String)],
    default defaultAnswer: String
  ) async throws -> String {
    let list = choices.enumerated().map { "  \($0 + 1)  \($1.word): \($1.text)" }
    await terminal.note(list.joined(separator: "\n"))
    while true {
      let answer = try await ask(question, default: defaultAnswer)
      if let number = Int(answer), choices.indices.contains(number - 1) {
        return choices[number - 1].word
      }
      if choices.contains(where: { $0.word == answer }) { return answer }
      await terminal.note("Enter a number from 1 to \(choices.count).")
    }
  }

  private func nextLine() throws -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[rest.startIndex..<end]
        rest = Data(rest[(end + 1)...])
        return String(decoding: line, as: UTF8.self)
      }
      guard !isOver else {
        defer { rest = Data() }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      var piece = [UInt8](repeating: 0, count: 4_096)
      let count = try piece.withUnsafeMutableBytes { try STDIN_FILENO.readWhenReady(into: $0) }
      if count == 0 || rest.count > 1 << 20 { isOver = true } else { rest += piece[..<count] }
    }
  }
}
#endif
