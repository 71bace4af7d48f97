import AIServices
import Foundation

/// An event sent by the server.
package struct SocketIOEvent: Sendable, Hashable {
  /// The namespace of the event.
  package let namespace: String
  /// The name of the event.
  package let name: String
  /// The arguments of the event.
  package let arguments: [SendableValue]
  /// The bytes that the arguments refer to.
  package let attachments: [Data]
  /// The number with which the server expects an acknowledgement.
  let acknowledgementID: Int?

  /// The bytes that a placeholder refers to; `nil` for other values.
  package func data(_ value: SendableValue) -> Data? {
    value.attachmentNumber.flatMap { attachments.indices.contains($0) ? attachments[$0] : nil }
  }
}

/// The acknowledgement of an event by the server.
package struct SocketIOReply: Sendable, Hashable {
  /// The arguments of the acknowledgement.
  package let arguments: [SendableValue]
  /// The bytes that the arguments refer to.
  package let attachments: [Data]

  /// The bytes that a placeholder refers to; `nil` for other values.
  package func data(_ value: SendableValue) -> Data? {
    value.attachmentNumber.flatMap { attachments.indices.contains($0) ? attachments[$0] : nil }
  }
}

/// The protocol of the namespaces of a connection, without side effects.
struct SocketIOSession: Sendable {
  enum Action: Hashable, Sendable {
    case joined(namespace: String)
    case refused(namespace: String, SocketIOError)
    case left(namespace: String)
    case event(SocketIOEvent)
    case reply(namespace: String, id: Int, SocketIOReply)
  }

  /// The requested namespaces, and true for those that are joined.
  private(set) var namespaces: [String: Bool] = [:]
  private var lastID = 0

  /// Requests a namespace.
  mutating func want(_ namespace: String) { namespaces[namespace] = namespaces[namespace] ?? false }

  /// Withdraws the request for a namespace.
  mutating func leave(_ namespace: String) { namespaces[namespace] = nil }

  /// True if the namespace is joined.
  func isIn(_ namespace: String) -> Bool { namespaces[namespace] == true }

  /// A number for the next request. Numbers are not reused, even after a reconnection.
  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Handles the loss of the connection.
  mutating func disconnected() { namespaces = namespaces.mapValues { _ in false } }

  /// Handles a packet; returns `nil` if it has no effect.
  mutating func receive(_ content: SocketIOContent) -> Action? {
    let packet = content.packet
    let namespace = packet.namespace
    guard let isIn = namespaces[namespace] else { return nil }
    switch packet.kind {
    case .connect:
      namespaces[namespace] = true
      return .joined(namespace: namespace)
    case .connectError:
      namespaces[namespace] = nil
      let message =
        packet.payload?.stringValue ?? packet.payload?.dictionaryValue?["message"]?.stringValue
      return .refused(
        namespace: namespace, .refused(namespace: namespace, message: message ?? "without a reason")
      )
    case .disconnect:
      namespaces[namespace] = nil
      return .left(namespace: namespace)
    case .event, .binaryEvent:
      guard isIn, let name = packet.eventName else { return nil }
      return .event(
        SocketIOEvent(
          namespace: namespace, name: name, arguments: packet.arguments,
          attachments: content.attachments, acknowledgementID: packet.id))
    case .acknowledgement, .binaryAcknowledgement:
      guard isIn, let id = packet.id else { return nil }
      return .reply(
        namespace: namespace, id: id,
        SocketIOReply(arguments: packet.arguments, attachments: content.attachments))
    }
  }
}
