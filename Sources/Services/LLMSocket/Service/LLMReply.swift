import AIServices
import Foundation

/// A text that was generated, and what the service tells about it.
public struct LLMReply: Sendable, Hashable {
  /// The text.
  public let content: String
  /// The service's name for the request.
  public let generationID: String?
  /// The model that wrote it.
  public let model: String?
  /// The provider behind the service.
  public let provider: String?
  /// When, as the service writes it.
  public let timestamp: String?

  /// Reads an answer of the service.
  init(_ body: SendableValue) throws(LLMError) {
    guard case .dictionary(let members) = body, let isSuccess = members["success"]?.boolValue else {
      throw LLMError(.malformedResponse, "The service's answer is not of the documented form.")
    }
    guard isSuccess else { throw LLMError(failure: members["error"]) }
    guard let content = members["content"]?.stringValue else {
      throw LLMError(.malformedResponse, "The service's answer has no content.")
    }
    self.content = content
    generationID = members["generation_id"]?.stringValue
    model = members["model"]?.stringValue
    provider = members["provider"]?.stringValue
    timestamp = members["timestamp"]?.stringValue
  }
}

extension LLMError {
  /// Reads what the service says about a failure.
  fileprivate init(failure: SendableValue?) {
    let members = failure?.dictionaryValue ?? [:]
    let details = members["details"]
    let message = members["message"]?.stringValue ?? failure?.stringValue ?? ""
    self.init(
      members["code"]?.stringValue.map { Code(rawValue: $0) } ?? .generationFailed,
      message.isEmpty ? "The service gave no reason." : message,
      details: details?.stringValue ?? details.flatMap { $0.isNull ? nil : $0.json })
  }
}

/// How a text is to be generated. What is `nil` is left to the service.
public struct LLMOptions: Sendable, Hashable {
  /// How freely words are chosen.
  public var temperature: Double?
  /// The most tokens of the answer.
  public var maxTokens: Int?
  /// Further options, as the service documents them.
  public var extra: [String: SendableValue]

  /// Options.
  public init(
    temperature: Double? = nil, maxTokens: Int? = nil, extra: [String: SendableValue] = [:]
  ) {
    self.temperature = temperature
    self.maxTokens = maxTokens
    self.extra = extra
  }

  /// Options by their names on the wire.
  ///
  /// - Throws: `LLMError` of the kind `invalidRequest` for an option whose type is wrong.
  public init(_ dictionary: [String: Any]) throws {
    self.init()
    for (name, value) in dictionary {
      let json = SendableValue(json: value)
      switch (name, json) {
      case ("temperature", .some(.int)), ("temperature", .some(.double)):
        temperature = json?.doubleValue
      case ("max_tokens", .some(.int(let count))): maxTokens = count
      case ("temperature", _), ("max_tokens", _), (_, nil):
        throw LLMError(.invalidRequest, "The option \(name) cannot be of type \(type(of: value)).")
      case (_, .some(let other)): extra[name] = other
      }
    }
  }

  /// The options as they travel.
  var members: [String: SendableValue] {
    var members = extra
    if let temperature { members["temperature"] = .double(temperature) }
    if let maxTokens { members["max_tokens"] = .int(maxTokens) }
    return members
  }
}

extension SendableValue {
  /// A loosely typed value as JSON, `nil` where there is no JSON for it.
  fileprivate init?(json value: Any) {
    switch value {
    case let value as SendableValue: self = value
    case let value as String: self = .string(value)
    // Before the numbers, because on this platform a Boolean is no number, but not everywhere.
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
