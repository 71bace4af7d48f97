import AIServices
import Foundation

/// A packet of Engine.IO, revision 4.
enum EngineIOPacket: Hashable, Sendable {
  case open(EngineIOHandshake)
  case close
  case ping(String)
  case pong(String)
  case message(String)
  case binary(Data)
  case upgrade
  case noop

  /// Parses a text packet.
  init(_ text: some StringProtocol) throws(WireError) {
    let rest = text.dropFirst()
    switch text.first {
    case "0":
      guard let handshake = try? JSONDecoder().decode(EngineIOHandshake.self, from: Data(rest.utf8))
      else { throw .socketIO("the handshake does not have the documented form") }
      self = .open(try handshake.checked())
    case "1": self = .close
    case "2": self = .ping(String(rest))
    case "3": self = .pong(String(rest))
    case "4": self = .message(String(rest))
    case "5": self = .upgrade
    case "6": self = .noop
    default: throw .socketIO("a packet of unknown kind")
    }
  }

  /// Parses a WebSocket message.
  init(_ message: WebSocketMessage) throws(WireError) {
    switch message {
    case .text(let text): try self.init(text)
    case .binary(let data): self = .binary(data)
    }
  }

  /// The packet as a WebSocket message.
  var webSocketMessage: WebSocketMessage {
    if case .binary(let data) = self { .binary(data) } else { .text(text) }
  }

  /// The packet as text in a body of long-polling.
  var text: String {
    switch self {
    case .open(let handshake): "0" + handshake.json
    case .close: "1"
    case .ping(let text): "2" + text
    case .pong(let text): "3" + text
    case .message(let text): "4" + text
    case .binary(let data): "b" + data.base64EncodedString()
    case .upgrade: "5"
    case .noop: "6"
    }
  }
}

/// The handshake of the server.
struct EngineIOHandshake: Codable, Hashable, Sendable {
  var sid: String
  var upgrades: [String]
  /// In milliseconds.
  var pingInterval: Int
  /// In milliseconds.
  var pingTimeout: Int
  var maxPayload: Int?

  /// The time without packets after which the server counts as lost.
  var silenceLimit: Duration { .milliseconds(pingInterval + pingTimeout) }

  fileprivate func checked() throws(WireError) -> EngineIOHandshake {
    let day = 86_400_000
    guard (1...day).contains(pingInterval), (1...day).contains(pingTimeout),
      maxPayload.map({ $0 > 0 }) ?? true, !sid.isEmpty,
      sid.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .socketIO("the handshake has an invalid interval or identifier") }
    return self
  }

  fileprivate var json: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

/// The encoding of several packets in one body of long-polling.
enum EngineIOPayload {
  private static let separator = Character("\u{1E}")

  static func decode(_ body: Data) throws(WireError) -> [EngineIOPacket] {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw .socketIO("a body is not UTF-8")
    }
    var packets: [EngineIOPacket] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      if part.first == "b" {
        guard let data = Data(base64Encoded: String(part.dropFirst())) else {
          throw .socketIO("a binary packet is not base64")
        }
        packets.append(.binary(data))
      } else {
        packets.append(try EngineIOPacket(part))
      }
    }
    return packets
  }

  static func encode(_ packets: [EngineIOPacket]) -> Data {
    Data(packets.map(\.text).joined(separator: String(separator)).utf8)
  }
}
