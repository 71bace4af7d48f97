import AIServices
import Foundation

/// What can go wrong with actions.
public enum ActionError: Error, Sendable, Hashable {
  /// There is no such action, or connector; the text says which ones there are.
  case notFound(String)
  /// A name is taken, or cannot be one.
  case invalidName(String)
  /// Faults of a template.
  case template([TemplateDiagnostic])
  /// Faults of a configuration file.
  case configuration([ConfigurationDiagnostic])
  /// The file at this path changed after it was read.
  case conflict(String)
  /// A file cannot be read or written.
  case storage(String)
  /// No connector can be asked; the text says why.
  case noConnector(String)
  /// The text may not leave this machine, and the connector is elsewhere.
  case notPrivate(String)
  /// It might have cost more than it may.
  case spendingCapReached(String)
  /// The run's deadline passed.
  case deadlinePassed(Duration)
  /// The user called the run off.
  case cancelled
  /// The service failed.
  case service(AIServiceError)
  /// The answer is not what was asked for.
  case unexpectedAnswer(String)
}

extension ActionError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .notFound(let text), .invalidName(let text), .storage(let text), .noConnector(let text),
      .notPrivate(let text), .spendingCapReached(let text), .unexpectedAnswer(let text):
      text
    case .template(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .configuration(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .conflict(let path):
      "“\(path)” changed after it was read, so nothing was saved. Load it again and repeat your change."
    case .deadlinePassed(let time):
      "There was no answer within \(time.formatted(.units(allowed: [.minutes, .seconds, .milliseconds]))). "
        + "Allow more time, or ask a quicker connector."
    case .cancelled: "The run was cancelled."
    case .service(let error): error.message
    }
  }
}
