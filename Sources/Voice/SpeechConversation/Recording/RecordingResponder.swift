import SpeechAudio
import SpeechConcurrency

/// Asks another responder and records its replies, piece by piece.
struct RecordingResponder: RelayingResponder {
  let target: any Responder
  private let clock: any DeviceClock
  private let replies: ReplyLog

  init(_ responder: any Responder, clock: any DeviceClock, into replies: ReplyLog) {
    target = responder
    self.clock = clock
    self.replies = replies
  }

  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    let number = replies.add(
      RecordedReply(question: turn.text, isEarly: turn.isEarly, outcome: .abandoned))
    return .pieces { [target, clock, replies] pieces in
      let start = clock.time
      func end(_ outcome: RecordedReply.Outcome) {
        let time = clock.time - start
        replies.change(number) { reply in
          reply.end = time
          reply.outcome = outcome
        }
      }
      do {
        for try await piece in target.reply(to: turn, in: history) {
          let time = clock.time - start
          replies.change(number, at: time) { $0.pieces.append(.init(after: time, piece)) }
          pieces.yield(piece)
        }
        try Task.checkCancellation()
        end(.complete)
      } catch {
        end(Task.isCancelled ? .abandoned : .failed(error.localizedDescription))
        throw error
      }
    }
  }
}
