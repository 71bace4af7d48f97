import Foundation
import SpeechAudio
import SpeechCore

/// Answers with the text that a closure returns.
///
/// ```swift
/// let parrot = ClosureResponder { turn, _ in "You said: \(turn.text)" }
/// ```
public struct ClosureResponder: Responder {
  private let answer: @Sendable (UserTurn, ConversationHistory) async throws -> String

  /// Creates a responder over a closure.
  public init(
    _ answer: @escaping @Sendable (UserTurn, ConversationHistory) async throws -> String
  ) {
    self.answer = answer
  }

  /// Returns the closure's text as the reply.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { [answer] pieces in pieces.yield(.text(try await answer(turn, history))) }
  }
}

/// Repeats the user's words, to try out a microphone and a voice.
public struct EchoResponder: Responder {
  /// Creates a responder that repeats the user's words.
  public init() {}

  /// Returns the words of the turn.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .saying(turn.text)
  }
}

/// Answers each turn with the next line of a script, for tests and demonstrations.
///
/// ```swift
/// let responder = ScriptedResponder([
///   "Hello!",
///   .init(timed: [(.zero, .text("Let me see. ")), (.seconds(2), .text("Here it is."))]),
/// ], clock: clock)
/// ```
public struct ScriptedResponder: Responder {
  /// The reply to one turn.
  public struct Line: Sendable, ExpressibleByStringLiteral {
    /// The pieces, each with the time that passes before it.
    public var pieces: [(delay: Duration, piece: ReplyPiece)]
    /// The error that follows the pieces.
    public var failure: (any Error)?
    /// True if the reply never ends.
    public var isEndless = false

    /// Creates a line of pieces that arrive at once.
    public init(_ pieces: [ReplyPiece]) { self.pieces = pieces.map { (.zero, $0) } }

    /// Creates a line of pieces with the time that passes before each.
    public init(
      timed pieces: [(delay: Duration, piece: ReplyPiece)], failure: (any Error)? = nil,
      isEndless: Bool = false
    ) {
      self.pieces = pieces
      self.failure = failure
      self.isEndless = isEndless
    }

    /// Creates a line of text that arrives at once.
    public init(stringLiteral text: String) { self.init([.text(text)]) }
  }

  private let lines: [Line]
  private let clock: any DeviceClock

  /// Creates a responder with a line for each turn. After the last line it starts over.
  public init(_ lines: [Line], clock: any DeviceClock = RealClock()) {
    self.lines = lines
    self.clock = clock
  }

  /// Returns the line for the turn.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    guard !lines.isEmpty else { return .saying("") }
    let line = lines[history.entries.count { $0.speaker == .user } % lines.count]
    return .pieces { [clock] pieces in
      for (delay, piece) in line.pieces {
        if delay > .zero { try await clock.sleep(until: clock.time + delay) }
        pieces.yield(piece)
      }
      if let failure = line.failure { throw failure }
      while line.isEndless { try await clock.sleep(until: clock.time + .seconds(3_600)) }
    }
  }
}
