import Foundation

/// What can go wrong in a voice loop. None of it ends the loop but `alreadyRunning`, which never begins it.
public enum VoiceLoopError: Error, Sendable, Equatable, LocalizedError {
  /// It was started twice.
  case alreadyRunning
  /// A responder said nothing for too long.
  case responderTimedOut
  /// There is nobody to ask.
  case noResponder

  /// What happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .alreadyRunning: "The voice loop is running already. Stop it before starting it again."
    case .responderTimedOut: "The responder said nothing in time."
    case .noResponder: "There is no responder. Give the chain at least one."
    }
  }
}
