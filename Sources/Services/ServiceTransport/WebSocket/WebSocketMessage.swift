import Foundation

/// A message of a WebSocket.
public enum WebSocketMessage: Sendable, Hashable {
  /// A text message in UTF-8.
  case text(String)
  /// A message of arbitrary bytes.
  case binary(Data)

  /// The size of the message in bytes.
  public var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let data): data.count
    }
  }
}

/// The code and reason with which a WebSocket was closed.
public struct WebSocketClose: Sendable, Hashable, Codable {
  /// The status code: 1000 for a normal end, 1005 if there was none.
  public var code: UInt16
  /// An explanation for logs.
  public var reason: String

  /// Creates a close frame's contents.
  public init(code: UInt16 = 1000, reason: String = "") {
    self.code = code
    self.reason = reason
  }

  /// Closed without a code. This value is never sent.
  package static let withoutCode = WebSocketClose(code: 1005)

  /// The payload of the close frame; a long reason is truncated between two characters.
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

  /// True if an endpoint may send the code.
  static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// The error for a server that answered the handshake with an HTTP response other than an upgrade.
public struct WebSocketHandshakeError: Error, LocalizedError, Sendable, Hashable, Codable {
  /// The HTTP status code, such as 403.
  public let status: Int
  /// The beginning of the response's body.
  public let body: String
  /// The number of seconds after which the server wants to be asked again; `nil` if it named none.
  package let retryAfter: Double?

  /// Creates an error from a response.
  public init(status: Int, body: String = "") {
    self.init(status: status, body: body, retryAfter: nil)
  }

  package init(status: Int, body: String = "", retryAfter: Double?) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }

  /// A description of the error and of its remedy.
  public var errorDescription: String? {
    let said = body.isEmpty ? "" : ": \(body.prefix(200))"
    return switch status {
    case 401, 403:
      "The server refused the connection (status \(status)\(said)). Check the credentials."
    case 404:
      "The server has no WebSocket at that address (status 404\(said)). Check the path."
    default:
      "The server refused to open a WebSocket (status \(status)\(said))."
    }
  }
}
