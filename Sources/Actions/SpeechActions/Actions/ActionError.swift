import AIServices
import Foundation

/// An error of an action, a connector or their configuration.
public enum ActionError: Error, Sendable, Hashable {
  /// There is no such action or connector. The text lists the existing ones.
  case notFound(String)
  /// A name is in use, or is not valid.
  case invalidName(String)
  /// A template has errors, listed with their positions.
  case template([TemplateDiagnostic])
  /// The configuration file has errors, listed with their positions.
  case configuration([ConfigurationDiagnostic])
  /// The configuration changed after it was read; the text is the path of its file.
  case conflict(String)
  /// A file cannot be read or written.
  case storage(String)
  /// No connector is available; the text gives the reason.
  case noConnector(String)
  /// The action's text must not leave this machine, and the connector is on another one.
  case notPrivate(String)
  /// The request could exceed the action's spending cap.
  case spendingCapReached(String)
  /// The run did not finish before its deadline.
  case deadlinePassed(Duration)
  /// The user cancelled the run.
  case cancelled
  /// The service failed, or could not be reached.
  case service(AIServiceError)
  /// The answer does not have the expected format.
  case unexpectedAnswer(String)
}

extension ActionError: LocalizedError {
  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .notFound(let text), .invalidName(let text), .storage(let text), .noConnector(let text),
      .notPrivate(let text), .spendingCapReached(let text), .unexpectedAnswer(let text):
      text
    case .template(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .configuration(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    case .conflict(let path):
      "“\(path)” changed after it was read, so nothing was saved. Load it again and repeat your "
        + "change."
    case .deadlinePassed(let time):
      "There was no answer within "
        + "\(time.formatted(.units(allowed: [.minutes, .seconds, .milliseconds]))). Allow more "
        + "time, or choose a faster connector."
    case .cancelled: "The run was cancelled."
    case .service(let error): error.message
    }
  }
}
