import AIServices
import Foundation

/// A packet of Socket.IO, protocol revision 5, without its attachments.
struct SocketIOPacket: Hashable, Sendable {
  enum Kind: Int, Sendable {
    case connect = 0
    case disconnect = 1
    case event = 2
    case acknowledgement = 3
    case connectError = 4
    case binaryEvent = 5
    case binaryAcknowledgement = 6

    var hasAttachments: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
  }

  static let mainNamespace = "/"

  var kind: Kind
  var namespace = mainNamespace
  var id: Int?
  var payload: SendableValue?
  var attachmentCount = 0

  init(
    _ kind: Kind, namespace: String = mainNamespace, id: Int? = nil, payload: SendableValue? = nil,
    attachmentCount: Int = 0
  ) {
    self.kind = kind
    self.namespace = namespace
    self.id = id
    self.payload = payload
    self.attachmentCount = attachmentCount
  }

  /// Parses a packet.
  init(_ text: String) throws(WireError) {
    var rest = Substring(text).utf8
    guard let digit = rest.popFirst(), let kind = Kind(rawValue: Int(digit) - 0x30) else {
      throw .socketIO("a packet of unknown kind")
    }
    self.kind = kind
    if kind.hasAttachments {
      guard let count = try Self.number(&rest), rest.popFirst() == UInt8(ascii: "-") else {
        throw .socketIO("a packet lacks its number of attachments")
      }
      attachmentCount = count
    }
    if rest.first == UInt8(ascii: "/") {
      let name = rest.prefix { $0 != UInt8(ascii: ",") }
      namespace = String(Substring(name))
      rest = rest.dropFirst(name.count + 1)
    }
    id = try Self.number(&rest)
    if !rest.isEmpty {
      guard let value = try? JSONDecoder().decode(SendableValue.self, from: Data(rest)) else {
        throw .socketIO("a packet is not valid JSON")
      }
      payload = value
    }
    try check()
  }

  /// The encoded packet.
  var text: String {
    var text = String(kind.rawValue)
    if kind.hasAttachments { text += "\(attachmentCount)-" }
    if namespace != Self.mainNamespace { text += namespace + "," }
    if let id { text += String(id) }
    if let payload { text += payload.json }
    return text
  }

  /// The arguments of an event or an acknowledgement.
  var arguments: [SendableValue] {
    guard case .array(let values)? = payload else { return [] }
    return kind == .event || kind == .binaryEvent ? Array(values.dropFirst()) : values
  }

  /// The name of an event.
  var eventName: String? { payload?.arrayValue?.first?.stringValue }

  private func check() throws(WireError) {
    switch kind {
    case .event, .binaryEvent:
      guard eventName != nil else { throw .socketIO("an event has no name") }
    case .acknowledgement, .binaryAcknowledgement:
      guard payload?.arrayValue != nil, id != nil else {
        throw .socketIO("an acknowledgement lacks its number or arguments")
      }
    case .connect, .disconnect, .connectError: break
    }
    // Encoded, it would be read as the number of the packet.
    if payload?.doubleValue != nil { throw .socketIO("a packet contains a bare number") }
  }

  private static func number(_ rest: inout Substring.UTF8View) throws(WireError) -> Int? {
    var digits = 0
    var number = 0
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      digits += 1
      guard digits <= 15 else { throw .socketIO("a number is too long") }
      number = number * 10 + Int(byte - 0x30)
      rest.removeFirst()
    }
    return digits == 0 ? nil : number
  }
}
