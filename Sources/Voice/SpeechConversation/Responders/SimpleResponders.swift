import Foundation
import SpeechAudio
import SpeechCore

/// Answers with what a closure returns.
///
/// ```swift
/// let parrot = ClosureResponder { turn, _ in "You said: \(turn.text)" }
/// ```
public struct ClosureResponder: Responder {
  private let answer: @Sendable (UserTurn, ConversationHistory) async throws -> String

  /// A responder that says what the closure returns.
  public init(
    _ answer: @escaping @Sendable (UserTurn, ConversationHistory) async throws -> String
  ) {
    self.answer = answer
  }

  /// What the closure returns.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { [answer] pieces in pieces.yield(.text(try await answer(turn, history))) }
  }
}

/// Says what it hears: for trying out a microphone and a voice.
public struct EchoResponder: Responder {
  /// An echo.
  public init() {}

  /// The same words.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .saying(turn.text)
  }
}

/// Says what a script has for each turn: for tests and demonstrations.
///
/// ```swift
/// let responder = ScriptedResponder([
///   "Hello!", .init([.text("Let me see. ")], then: [.text("Here it is.")], after: .seconds(2)),
/// ], clock: clock)
/// ```
public struct ScriptedResponder: Responder {
  /// What is said to one turn.
  public struct Line: Sendable, ExpressibleByStringLiteral {
    /// The pieces, each with the time that passes before it.
    public var pieces: [(delay: Duration, piece: ReplyPiece)]
    /// What goes wrong behind them.
    public var failure: (any Error)?
    /// Whether it never ends.
    public var isEndless = false

    /// Pieces that come at once.
    public init(_ pieces: [ReplyPiece]) { self.pieces = pieces.map { (.zero, $0) } }

    /// Pieces with the time that passes before each.
    public init(
      timed pieces: [(delay: Duration, piece: ReplyPiece)], failure: (any Error)? = nil,
      isEndless: Bool = false
    ) {
      self.pieces = pieces
      self.failure = failure
      self.isEndless = isEndless
    }

    /// A text that comes at once.
    public init(stringLiteral text: String) { self.init([.text(text)]) }
  }

  private let lines: [Line]
  private let clock: any DeviceClock

  /// A script with a line for the first turn, the second …, and from the beginning again.
  public init(_ lines: [Line], clock: any DeviceClock = RealClock()) {
    self.lines = lines
    self.clock = clock
  }

  /// The line for that turn.
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
