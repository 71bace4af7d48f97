import Foundation

/// An error of a voice loop. Only `alreadyRunning` keeps a loop from starting; the others never end
/// one.
public enum VoiceLoopError: Error, Sendable, Equatable, LocalizedError {
  /// The loop was started twice.
  case alreadyRunning
  /// A responder returned nothing within its time limit.
  case responderTimedOut
  /// A chain of responders is empty.
  case noResponder

  /// A description of what happened and what to do.
  public var errorDescription: String? {
    switch self {
    case .alreadyRunning: "The voice loop is running already. Stop it before starting it again."
    case .responderTimedOut: "The responder said nothing in time."
    case .noResponder: "There is no responder. Give the chain at least one."
    }
  }
}
