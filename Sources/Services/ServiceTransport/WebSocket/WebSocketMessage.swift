import Foundation

/// What travels over a WebSocket.
public enum WebSocketMessage: Sendable, Hashable {
  /// Text.
  case text(String)
  /// Bytes.
  case binary(Data)

  /// How many bytes it has.
  public var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let data): data.count
    }
  }
}

/// How a WebSocket was closed.
public struct WebSocketClose: Sendable, Hashable, Codable {
  /// The code of the standard: 1000 for a normal end, 1005 when none was given.
  public var code: UInt16
  /// Words for the log.
  public var reason: String

  /// A way to close.
  public init(code: UInt16 = 1000, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// Closed without saying why. Such a code never goes out on the wire.
  package static let withoutCode = WebSocketClose(code: 1005)

  /// What a close frame carries; a reason that is too long is cut between two characters.
  var payload: [UInt8] {
    guard code != Self.withoutCode.code else { return [] }
    var payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
    for character in reason {
      let bytes = Array(String(character).utf8)
      guard payload.count + bytes.count <= WebSocketFrame.controlLimit else { break }
      payload += bytes
    }
    return payload
  }

  /// Whether an endpoint may send that code.
  static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// A server that did not want to speak WebSocket, and what it answered instead.
public struct WebSocketHandshakeError: Error, LocalizedError, Sendable, Hashable, Codable {
  /// The status code, like 403.
  public let status: Int
  /// The beginning of what the server says about it.
  public let body: String

  /// A refusal.
  public init(status: Int, body: String = "") {
    self.status = status
    self.body = body
  }

  /// What happened, and what to do about it.
  public var errorDescription: String? {
    let said = body.isEmpty ? "" : ": \(body.prefix(200))"
    return switch status {
    case 401, 403:
      "The server refused the connection (status \(status)\(said)). Check the credentials."
    case 404:
      "The server has no WebSocket at that address (status 404\(said)). Check the path."
    default:
      "The server refused to speak WebSocket (status \(status)\(said))."
    }
  }
}
