import Foundation
import SpeechConcurrency

/// Asks a person, or takes the answers from a pipe, a line each.
///
/// On a queue of its own, because people make wait; cancelling the task ends the wait.
actor Questionnaire {
  private let executor = SerialQueueExecutor(label: "speechkit.questions")
  private let terminal: Terminal
  /// Whether everything is answered as is usual.
  private let isUsual: Bool
  private var rest = Data()
  private var isOver = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(terminal: Terminal, isUsual: Bool) {
    self.terminal = terminal
    self.isUsual = isUsual
  }

  /// Whether somebody types the answers.
  nonisolated static var isPerson: Bool { isatty(STDIN_FILENO) == 1 }

  /// An answer in words.
  ///
  /// - Parameter usual: what an empty answer means; `nil` where one is needed.
  /// - Throws: `CommandFailure` when the answers are over.
  func ask(_ question: String, usual: String? = "") async throws -> String {
    while true {
      let hint = usual.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
      await terminal.note("\(question)\(hint)")
      if isUsual, let usual { return usual }
      guard let line = try nextLine() else {
        guard let usual else {
          throw CommandFailure(
            .noInput,
            "The answers ended before this question. Run it on a terminal, or pass options.")
        }
        return usual
      }
      let answer = line.trimmingCharacters(in: .whitespaces)
      if !answer.isEmpty { return answer }
      if let usual { return usual }
    }
  }

  /// Yes or no.
  func confirm(_ question: String, usual: Bool) async throws -> Bool {
    while true {
      let answer = try await ask("\(question) (yes or no)", usual: usual ? "yes" : "no")
        .lowercased()
      if ["y", "yes"].contains(answer) { return true }
      if ["n", "no"].contains(answer) { return false }
      await terminal.note("Please say yes or no.")
    }
  }

  /// One of several, by its number or its word.
  func choose(
    _ question: String, among choices: [(word: String, text: String)], usual: String
  ) async throws -> String {
    let list = choices.enumerated().map { "  \($0 + 1)  \($1.word): \($1.text)" }
    await terminal.note(list.joined(separator: "\n"))
    while true {
      let answer = try await ask(question, usual: usual)
      if let number = Int(answer), choices.indices.contains(number - 1) {
        return choices[number - 1].word
      }
      if choices.contains(where: { $0.word == answer }) { return answer }
      await terminal.note("Please give a number from 1 to \(choices.count).")
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
      // With a limit, so that a task that was cancelled notices.
      var wish = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wish, 1, 100)
      try Task.checkCancellation()
      guard ready != 0 else { continue }
      var piece = [UInt8](repeating: 0, count: 4_096)
      let count = read(STDIN_FILENO, &piece, piece.count)
      if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
      if count <= 0 || rest.count > 1 << 20 { isOver = true } else { rest += piece[..<count] }
    }
  }
}
