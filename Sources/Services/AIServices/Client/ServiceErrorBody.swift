import Foundation

/// An error reported in the body of a response, in any of the common forms.
///
/// Those are an `error` object or string, at the top or in an object whose `type` is `error`; and a
/// `detail` that is an object, a string, or a list of invalid parameters.
struct ServiceErrorBody: Sendable, Hashable {
  var code: String?
  var type: String?
  var message: String?
  var requestID: String?

  /// Parses an error; `nil` if the data does not report one.
  init?(_ data: Data) {
    guard let body = try? JSONDecoder().decode(SendableValue.self, from: data),
      let members = body.dictionaryValue
    else { return nil }
    self.init(members)
  }

  init?(_ members: [String: SendableValue]) {
    if let error = members["error"], !error.isNull {
      read(error)
    } else if let detail = members["detail"], !detail.isNull {
      read(detail)
    } else {
      return nil
    }
    requestID = requestID ?? members["request_id"]?.stringValue
  }

  private mutating func read(_ value: SendableValue) {
    switch value {
    case .string(let text): message = text
    case .array(let complaints):
      message = complaints.compactMap(Self.complaint).joined(separator: "; ")
    case .dictionary(let members):
      message = members["message"]?.stringValue
      type = members["type"]?.stringValue
      code =
        members["details"]?.dictionaryValue?["error_code"]?.stringValue
        ?? members["code"]?.stringValue ?? members["code"]?.intValue.map(String.init)
        ?? members["status"]?.stringValue
      requestID = members["request_id"]?.stringValue
    default: break
    }
  }

  /// An entry in the list of invalid parameters.
  private static func complaint(_ value: SendableValue) -> String? {
    guard let members = value.dictionaryValue, let text = members["msg"]?.stringValue else {
      return nil
    }
    let place = members["loc"]?.arrayValue?.compactMap {
      $0.stringValue ?? $0.intValue.map(String.init)
    }
    return ((place ?? []) + [text]).joined(separator: ": ")
  }
}
