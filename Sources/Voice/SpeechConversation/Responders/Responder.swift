import Foundation
import SpeechCore

/// Answers the user's turns in a voice loop, piece by piece.
///
/// Laws: the stream begins to work when it is first read, yields each piece as soon as it exists,
/// ends when the reply is complete, and throws if there can be no reply. A reader that stops wants
/// no more pieces. The same turn may be asked twice, if an early reply was discarded.
///
/// ```swift
/// struct Counter: Responder {
///   func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
///     .saying("That was your sentence number \(history.entries.count + 1).")
///   }
/// }
/// ```
public protocol Responder: Sendable {
  /// Returns the reply to a turn.
  ///
  /// - Parameter history: The conversation before this turn.
  func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream
}

/// A stream of the pieces of a reply.
public typealias ReplyStream = AsyncThrowingStream<ReplyPiece, any Error>

/// The user's words in a turn.
public struct UserTurn: Sendable {
  /// The words that were recognised.
  public var text: String
  /// The recogniser's results: several if the user paused and continued, none for an early guess.
  public var results: [SpeechRecognitionResult]
  /// True if the user may still continue. The reply is discarded then.
  public var isEarly: Bool

  /// Creates a turn, as for a test of a responder.
  public init(text: String, results: [SpeechRecognitionResult] = [], isEarly: Bool = false) {
    self.text = text
    self.results = results
    self.isEarly = isEarly
  }
}

/// A piece of a reply.
public enum ReplyPiece: Sendable, Hashable {
  /// Any number of words. The loop assembles sentences from them.
  case text(String)
  /// Words that cannot be interrupted.
  case uninterruptible(String)
  /// The end of the conversation, after everything before it has been spoken.
  case goodbye
}

extension AsyncThrowingStream where Element == ReplyPiece, Failure == any Error {
  /// Returns a reply that is complete at once.
  public static func saying(_ text: String) -> ReplyStream {
    ReplyStream { continuation in
      continuation.yield(.text(text))
      continuation.finish()
    }
  }

  /// Returns a reply that the closure produces. Its task is cancelled when the reply is no longer
  /// wanted.
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

/// A responder that passes turns on to another.
package protocol RelayingResponder: Responder {
  /// The responder that receives the turns.
  var target: any Responder { get }
}

extension Responder {
  /// The name under which calls of the responder are reported: its type, or the type of its target.
  package var handlerName: String {
    (self as? any RelayingResponder)?.target.handlerName ?? "\(type(of: self))"
  }
}
