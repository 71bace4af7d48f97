import AIServices
import Foundation

/// A generated text with the service's information about it.
public struct LLMReply: Sendable, Hashable {
  /// The text that the model generated.
  public let content: String
  /// The service's identifier of the request.
  public let generationID: String?
  /// The model that generated the text.
  public let model: String?
  /// The provider that the service used.
  public let provider: String?
  /// The time of the answer in the service's format.
  public let timestamp: String?

  /// Parses an answer of the service.
  init(_ body: SendableValue) throws(LLMError) {
    guard case .dictionary(let members) = body, let isSuccess = members["success"]?.boolValue else {
      throw LLMError(.malformedResponse, "The service's answer does not have the documented form.")
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
  /// Parses an error of the service.
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

/// The options of a request. The service chooses those that are `nil`.
public struct LLMOptions: Sendable, Hashable {
  /// The sampling temperature of the model.
  public var temperature: Double?
  /// The maximum number of output tokens.
  public var maxTokens: Int?
  /// Additional options, as documented by the service.
  public var extra: [String: SendableValue]

  /// Creates options; the defaults leave everything to the service.
  public init(
    temperature: Double? = nil, maxTokens: Int? = nil, extra: [String: SendableValue] = [:]
  ) {
    self.temperature = temperature
    self.maxTokens = maxTokens
    self.extra = extra
  }

  /// Creates options from their names on the wire.
  ///
  /// - Throws: `LLMError` with the code `invalidRequest` for an option of the wrong type.
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

  /// The options on the wire.
  var members: [String: SendableValue] {
    var members = extra
    if let temperature { members["temperature"] = .double(temperature) }
    if let maxTokens { members["max_tokens"] = .int(maxTokens) }
    return members
  }
}
