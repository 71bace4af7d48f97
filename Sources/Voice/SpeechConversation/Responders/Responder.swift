import Foundation
import SpeechCore

/// Who thinks in a voice loop: what the user said goes in, what is to be said comes out, piece by piece.
///
/// Laws: the stream begins to work when it is first read, gives each piece as soon as it is there, ends when
/// the reply is complete, and throws when it cannot be. Whoever stops reading wants no more of it. The same
/// turn may be asked twice, when an early answer was thrown away.
///
/// ```swift
/// struct Clock: Responder {
///   func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
///     .saying("It is \(Date.now.formatted(date: .omitted, time: .shortened)).")
///   }
/// }
/// ```
public protocol Responder: Sendable {
  /// What to say to that.
  ///
  /// - Parameter history: what was said before this turn.
  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream
}

/// The pieces of a reply.
public typealias ReplyStream = AsyncThrowingStream<ReplyPiece, any Error>

/// What the user said in a turn.
public struct UserTurn: Sendable {
  /// The words.
  public var text: String
  /// What the recogniser told about them; several results if the user paused and went on, none for an early
  /// guess.
  public var results: [SpeechRecognitionResult]
  /// Whether the user may still go on; the reply is thrown away then.
  public var isEarly: Bool

  /// A turn.
  public init(text: String, results: [SpeechRecognitionResult] = [], isEarly: Bool = false) {
    self.text = text
    self.results = results
    self.isEarly = isEarly
  }
}

/// A piece of a reply.
public enum ReplyPiece: Sendable, Hashable {
  /// Words, of any number; sentences are put together from them.
  case text(String)
  /// Words that are said to their end, whoever speaks meanwhile.
  case uninterruptible(String)
  /// The conversation is over when all this has been said.
  case goodbye
}

extension AsyncThrowingStream where Element == ReplyPiece, Failure == any Error {
  /// A reply that is there at once.
  public static func saying(_ text: String) -> ReplyStream {
    ReplyStream { continuation in
      continuation.yield(.text(text))
      continuation.finish()
    }
  }

  /// A reply that is made by that work, which is cancelled when nobody wants it any more.
  public static func pieces(
    _ work: @escaping @Sendable (Continuation) async throws -> Void
  ) -> ReplyStream {
    ReplyStream { continuation in
      let task = Task {
        do {
          try await work(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
