import AIServices
import Foundation

/// The address and the options of a connection to a Phoenix application.
package struct PhoenixConfiguration: Sendable {
  /// The address of the socket with its mount point, such as `ws://localhost:4000/socket`; the rest
  /// of the path is added. Its query is passed to the application.
  package var url: URL
  /// A token for the application. It is sent in a header, never in the address.
  package var token: SecureString?
  /// Additional header fields.
  package var headers: HTTPHeaders
  /// The time to open the connection.
  package var openTimeout: Duration
  /// The time for a join, and for a push with a reply.
  package var replyTimeout: Duration
  /// The interval of heartbeats; without a reply until the next one the connection counts as lost.
  package var heartbeat: Duration
  /// The policy for reconnecting.
  package var reconnection: ReconnectionPolicy
  /// The maximum size of a message in bytes.
  package var messageLimit: Int
  /// A file with trusted certificates; `nil` for those of the system.
  package var certificateFile: String?

  /// Creates a configuration.
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

  /// The request that opens a connection.
  func request() throws -> WebSocketRequest {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw HTTPFailure.invalidRequest("The address is not valid.")
    }
    let path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
    parts.path = path.hasSuffix("/websocket") ? path : path + "/websocket"
    parts.queryItems = [URLQueryItem(name: "vsn", value: "2.0.0")] + (parts.queryItems ?? [])
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Phoenix socket is not valid.")
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
