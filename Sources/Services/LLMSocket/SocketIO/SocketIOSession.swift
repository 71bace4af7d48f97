import AIServices
import Foundation

/// An event of the server.
package struct SocketIOEvent: Sendable, Hashable {
  /// The namespace it belongs to.
  package let namespace: String
  /// Its name.
  package let name: String
  /// What it carries.
  package let arguments: [SendableValue]
  /// The bytes that the arguments refer to.
  package let attachments: [Data]
  /// The number under which the server waits for an acknowledgement.
  let acknowledgementID: Int?

  /// The bytes that the value stands for, if it stands for bytes.
  package func data(_ value: SendableValue) -> Data? {
    value.attachmentNumber.flatMap { attachments.indices.contains($0) ? attachments[$0] : nil }
  }
}

/// What the server acknowledged with.
package struct SocketIOReply: Sendable, Hashable {
  /// What it carries.
  package let arguments: [SendableValue]
  /// The bytes that the arguments refer to.
  package let attachments: [Data]

  /// The bytes that the value stands for, if it stands for bytes.
  package func data(_ value: SendableValue) -> Data? {
    value.attachmentNumber.flatMap { attachments.indices.contains($0) ? attachments[$0] : nil }
  }
}

/// The namespaces of a Socket.IO connection: the protocol without its effects.
struct SocketIOSession: Sendable {
  enum Action: Hashable, Sendable {
    case joined(namespace: String)
    case refused(namespace: String, SocketIOError)
    case left(namespace: String)
    case event(SocketIOEvent)
    case reply(namespace: String, id: Int, SocketIOReply)
  }

  /// The namespaces that are wanted, and whether we are in.
  private(set) var namespaces: [String: Bool] = [:]
  private var lastID = 0

  /// Asks for a namespace.
  mutating func want(_ namespace: String) { namespaces[namespace] = namespaces[namespace] ?? false }

  /// Asks for it no longer.
  mutating func leave(_ namespace: String) { namespaces[namespace] = nil }

  /// Whether we are in.
  func isIn(_ namespace: String) -> Bool { namespaces[namespace] == true }

  /// A number for the next question. It is not used again, also after the connection was lost.
  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// The connection is gone.
  mutating func disconnected() { namespaces = namespaces.mapValues { _ in false } }

  /// What a packet means; nothing for what does not concern us.
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
