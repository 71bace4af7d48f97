import AIServices
import Foundation

/// Where and how to reach the channels of a Phoenix application.
package struct PhoenixConfiguration: Sendable {
  /// The socket's address with its mount point, like `ws://localhost:4000/socket`; the rest of the path is
  /// added. A query in it is handed to the application.
  package var url: URL
  /// A token for the application, sent in a header: it is never part of the address.
  package var token: SecureString?
  /// Further header fields.
  package var headers: HTTPHeaders
  /// How long opening may take.
  package var openTimeout: Duration
  /// How long a join, and a push that is answered, may take.
  package var replyTimeout: Duration
  /// How often the server is asked whether it is there; no answer until the next time is the end.
  package var heartbeat: Duration
  /// When a connection that was lost is opened again.
  package var reconnection: ReconnectionPolicy
  /// The most bytes of a message.
  package var messageLimit: Int
  /// A file with the certificates that are trusted; `nil` for those of the system.
  package var certificateFile: String?

  /// A configuration.
  package init(
    url: URL, token: SecureString? = nil, headers: HTTPHeaders = HTTPHeaders(),
    openTimeout: Duration = .seconds(10), replyTimeout: Duration = .seconds(10),
    heartbeat: Duration = .seconds(30), reconnection: ReconnectionPolicy = .phoenix,
    messageLimit: Int = 1 << 20, certificateFile: String? = nil
  ) {
    self.url = url
    self.token = token
    self.headers = headers
    self.openTimeout = openTimeout
    self.replyTimeout = replyTimeout
    self.heartbeat = heartbeat
    self.reconnection = reconnection
    self.messageLimit = messageLimit
    self.certificateFile = certificateFile
  }

  /// What a connection is opened with.
  func request() throws -> WebSocketRequest {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw HTTPFailure.invalidRequest("The address is not valid.")
    }
    let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    parts.path = path.hasSuffix("/websocket") ? path : path + "/websocket"
    parts.queryItems = [URLQueryItem(name: "vsn", value: "2.0.0")] + (parts.queryItems ?? [])
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Phoenix socket cannot be used.")
    }
    var request = WebSocketRequest(
      address, headers: headers, openTimeout: openTimeout, messageLimit: messageLimit,
      certificateFile: certificateFile)
    if let token {
      let encoded = token.withBytes { Data($0).base64EncodedString() }
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
      request.subprotocols = ["phoenix"]
      request.secretSubprotocol = .init(
        prefix: "base64url.bearer.phx.", secret: SecureString(encoded))
    }
    return request
  }
}
