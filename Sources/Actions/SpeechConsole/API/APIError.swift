import AIServices
import Foundation
import SpeechActions

/// Why the page does not get what it asks for, in a form that it can show.
struct APIError: Error, Encodable {
  struct Fault: Encodable {
    var line: Int
    var column: Int
    var message: String
  }

  var status: Int
  var error: String
  var faults: [Fault] = []

  private enum CodingKeys: CodingKey { case error, faults }

  init(_ status: Int, _ error: String) {
    self.status = status
    self.error = error
  }

  /// What to say of an error of those who do the work.
  init(_ error: any Error) {
    self.init(500, error.localizedDescription)
    switch error {
    case let error as APIError: self = error
    case let error as ActionError:
      status = Self.status(of: error)
      switch error {
      case .template(let found):
        faults = found.map { Fault(line: $0.line, column: $0.column, message: $0.message) }
      case .configuration(let found):
        self.error = "The configuration file has faults."
        faults = found.map {
          Fault(
            line: $0.line, column: $0.column,
            message: ($0.path.isEmpty ? "" : "\($0.path): ") + $0.message)
        }
      default: break
      }
    case let error as FieldFormError: self.init(422, error.message)
    case is AICredentialError: status = 422
    case is DecodingError: self = APIError(400, "The request is not what the console expects.")
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
