import AIServices
import Foundation

/// A frame of Phoenix channels, serializer version 2.
struct PhoenixFrame: Hashable, Sendable {
  var joinRef: String?
  var ref: String?
  var topic: String
  var event: String
  var payload: SendableValue

  init(
    joinRef: String? = nil, ref: String? = nil, topic: String, event: String,
    payload: SendableValue = [:]
  ) {
    self.joinRef = joinRef
    self.ref = ref
    self.topic = topic
    self.event = event
    self.payload = payload
  }

  /// Parses a frame.
  init(_ text: String) throws(WireError) {
    guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8)),
      case .array(let parts) = value, parts.count == 5
    else { throw .phoenix("a frame is not an array of five") }
    guard let topic = parts[2].stringValue, let event = parts[3].stringValue else {
      throw .phoenix("a frame has no topic or no event")
    }
    joinRef = try Self.reference(parts[0])
    ref = try Self.reference(parts[1])
    self.topic = topic
    self.event = event
    payload = parts[4]
  }

  /// The encoded frame.
  var text: String {
    let parts: [SendableValue] = [
      joinRef.map { .string($0) } ?? .null, ref.map { .string($0) } ?? .null, .string(topic),
      .string(event), payload,
    ]
    return SendableValue.array(parts).json
  }

  private static func reference(_ value: SendableValue) throws(WireError) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    case .int(let number): String(number)
    default: throw .phoenix("a reference is neither text nor null")
    }
  }
}
