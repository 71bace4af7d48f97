import Foundation

/// What a service says of a failure, in any of the forms that are in use.
///
/// Those are an `error` object or text, at the top or below a `type` of `error`; and a `detail` that is
/// an object, a text, or a list of what is wrong with the parameters.
struct ServiceErrorBody: Sendable, Hashable {
  var code: String?
  var type: String?
  var message: String?
  var requestID: String?

  /// - Returns: `nil` when the data tells of no failure.
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

  /// One entry of the list that validating frameworks answer with.
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
