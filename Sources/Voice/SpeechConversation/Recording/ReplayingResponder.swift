import Foundation
import SpeechAudio
import SpeechConcurrency

/// Repeats recorded replies at their original pace.
///
/// A question gets the first unused reply to it, or the last one again when all are used. A
/// question that was never asked fails, because silence would hide the difference. An abandoned
/// reply gives the pieces that arrived, and ends a second later.
///
/// ```swift
/// let responder = ReplayingResponder(bundle.replies, clock: world.clock)
/// ```
public struct ReplayingResponder: Responder {
  private let replies: [RecordedReply]
  private let given = Guarded<Set<Int>>([])
  private let clock: any DeviceClock

  private static let afterAbandoned = Duration.seconds(1)

  /// Creates a responder that repeats the given replies.
  public init(_ replies: [RecordedReply], clock: any DeviceClock = RealClock()) {
    self.replies = replies
    self.clock = clock
  }

  /// Returns the recorded reply to the turn.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    guard let reply = next(for: turn) else {
      return ReplyStream { $0.finish(throwing: ReplayError.neverAsked(turn.text)) }
    }
    return .pieces { [clock] pieces in
      let start = clock.time
      func wait(until time: Duration) async throws {
        if start + time > clock.time { try await clock.sleep(until: start + time) }
      }
      for piece in reply.pieces {
        try await wait(until: piece.after)
        pieces.yield(piece.piece)
      }
      switch reply.outcome {
      case .complete: try await wait(until: reply.end)
      case .failed(let reason):
        try await wait(until: reply.end)
        throw ReplayError.failed(reason)
      case .abandoned: try await wait(until: reply.end + Self.afterAbandoned)
      }
    }
  }

  private func next(for turn: UserTurn) -> RecordedReply? {
    let words = SpokenWords(turn.text)
    let known = replies.indices.filter { SpokenWords(replies[$0].question) == words }
    let index = given.withLock { given -> Int? in
      let left = known.filter { !given.contains($0) }
      let index =
        left.first { replies[$0].isEarly == turn.isEarly } ?? left.first ?? known.last
      if let index { given.insert(index) }
      return index
    }
    return index.map { replies[$0] }
  }
}

/// A reply that was not recorded.
enum ReplayError: Error, LocalizedError {
  case neverAsked(String)
  case failed(String)

  var errorDescription: String? {
    switch self {
    case .neverAsked(let question):
      "No reply to “\(question)” was recorded. Give a responder to ask instead."
    case .failed(let reason): reason
    }
  }
}
