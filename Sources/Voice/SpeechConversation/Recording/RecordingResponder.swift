import SpeechAudio
import SpeechConcurrency

/// Asks another responder and records its replies, piece by piece.
struct RecordingResponder: RelayingResponder {
  let target: any Responder
  private let clock: any DeviceClock
  private let replies: Guarded<[RecordedReply]>

  init(_ responder: any Responder, clock: any DeviceClock, into replies: Guarded<[RecordedReply]>) {
    target = responder
    self.clock = clock
    self.replies = replies
  }

  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    let index = replies.withLock { replies in
      replies.append(
        RecordedReply(question: turn.text, isEarly: turn.isEarly, outcome: .abandoned))
      return replies.count - 1
    }
    return .pieces { [target, clock, replies] pieces in
      let start = clock.time
      func end(_ outcome: RecordedReply.Outcome) {
        let time = clock.time - start
        replies.withLock { replies in
          replies[index].end = time
          replies[index].outcome = outcome
        }
      }
      do {
        for try await piece in target.reply(to: turn, in: history) {
          let time = clock.time - start
          replies.withLock { $0[index].pieces.append(.init(after: time, piece)) }
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
