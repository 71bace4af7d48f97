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

  /// Reads a frame.
  init(_ text: String) throws(PhoenixError) {
    guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(text.utf8)),
      case .array(let parts) = value, parts.count == 5
    else { throw .malformed("a frame is not an array of five") }
    guard let topic = parts[2].stringValue, let event = parts[3].stringValue else {
      throw .malformed("a frame has no topic or no event")
    }
    joinRef = try Self.reference(parts[0])
    ref = try Self.reference(parts[1])
    self.topic = topic
    self.event = event
    payload = parts[4]
  }

  /// The frame as it goes out.
  var text: String {
    let parts: [SendableValue] = [
      joinRef.map { .string($0) } ?? .null, ref.map { .string($0) } ?? .null, .string(topic),
      .string(event), payload,
    ]
    return SendableValue.array(parts).json
  }

  private static func reference(_ value: SendableValue) throws(PhoenixError) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    case .int(let number): String(number)
    default: throw .malformed("a reference is neither text nor null")
    }
  }
}

/// What can go wrong with Phoenix channels, beyond what goes wrong with any connection.
package enum PhoenixError: Error, Hashable, Sendable {
  /// There is no connection at the moment.
  case notConnected
  /// The topic is not joined.
  case notJoined(topic: String)
  /// The server answered with an error; the text is its reason.
  case refused(reason: String)
  /// The server did not answer in time.
  case replyTimedOut
  /// The channel crashed on the server, or was closed, before the answer came.
  case channelLost(reason: String)
  /// The connection was lost before the answer came.
  case connectionLost(String)
  /// The server did not answer the heartbeat.
  case heartbeatLost
  /// The server does not keep to the protocol.
  case malformed(String)
}

extension PhoenixError: LocalizedError {
  /// What happened, and what to do about it.
  package var errorDescription: String? {
    switch self {
    case .notConnected:
      "There is no connection to the server at the moment. Wait for it, or connect."
    case .notJoined(let topic): "The topic \(topic) is not joined. Join it first."
    case .refused(let reason): "The server refused (\(reason))."
    case .replyTimedOut: "The server did not reply in time. Try again."
    case .channelLost(let reason): "The channel was lost (\(reason)). Try again."
    case .connectionLost(let text): "The connection was lost (\(text)). Try again."
    case .heartbeatLost: "The server has not been heard for too long. Check the network."
    case .malformed(let text): "The server does not keep to the Phoenix protocol: \(text)."
    }
  }
}
