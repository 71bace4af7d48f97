import Foundation

extension SendableValue {
  /// Converts a loosely typed value to JSON; `nil` if it has no JSON form.
  package init?(json value: Any) {
    switch value {
    case let value as SendableValue: self = value
    case let value as String: self = .string(value)
    // Before the numbers, because a Boolean is no number on this platform, but is one on others.
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as Double where value.isFinite: self = .double(value)
    case let value as Float where value.isFinite: self = .double(Double(value))
    case let values as [Any]:
      var elements: [SendableValue] = []
      for value in values {
        guard let element = SendableValue(json: value) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case let values as [String: Any]:
      var members: [String: SendableValue] = [:]
      for (name, value) in values {
        guard let member = SendableValue(json: value) else { return nil }
        members[name] = member
      }
      self = .dictionary(members)
    case is NSNull: self = .null
    default: return nil
    }
  }
}
