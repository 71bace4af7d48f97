import AIServices
import Foundation
import SpeechActions

/// An error in the form in which the page shows it.
struct APIError: Error, Encodable {
  struct Diagnostic: Encodable {
    var line: Int
    var column: Int
    var message: String
  }

  var status: Int
  var error: String
  var faults: [Diagnostic] = []

  private enum CodingKeys: CodingKey { case error, faults }

  init(_ status: Int, _ error: String) {
    self.status = status
    self.error = error
  }

  /// Creates the error to show for an error of the services.
  init(_ error: any Error) {
    self.init(500, error.localizedDescription)
    switch error {
    case let error as APIError: self = error
    case let error as ActionError:
      status = Self.status(of: error)
      switch error {
      case .template(let found):
        faults = found.map { Diagnostic(line: $0.line, column: $0.column, message: $0.message) }
      case .configuration(let found):
        self.error = "The configuration file has errors."
        faults = found.map {
          Diagnostic(
            line: $0.line, column: $0.column,
            message: ($0.path.isEmpty ? "" : "\($0.path): ") + $0.message)
        }
      default: break
      }
    case let error as FieldFormError: self.init(422, error.message)
    case is AICredentialError: status = 422
    case is DecodingError: self = APIError(400, "The request is not valid.")
    default: break
    }
  }

  private static func status(of error: ActionError) -> Int {
    switch error {
    case .notFound: 404
    case .conflict: 409
    case .storage, .service: 500
    default: 422
    }
  }
}
