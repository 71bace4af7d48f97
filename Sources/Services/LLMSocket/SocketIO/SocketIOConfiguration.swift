import AIServices
import Foundation

/// The address and the options of a connection to a Socket.IO server.
package struct SocketIOConfiguration: Sendable {
  /// The address of the server: `ws`, `wss`, `http` or `https`. Its path is ignored.
  package var url: URL
  /// The path of the server's endpoint.
  package var path: String
  /// The namespace that is joined first.
  package var namespace: String
  /// The authentication data for joining that namespace.
  package var auth: [String: SendableValue]
  /// Secret members of the authentication data.
  package var secretAuth: [String: SecureString]
  /// Additional header fields.
  package var headers: HTTPHeaders
  /// The transport of packets.
  package var transports: SocketIOTransports
  /// The time to open the connection, and to join a namespace.
  package var openTimeout: Duration
  /// The policy for reconnecting.
  package var reconnection: ReconnectionPolicy
  /// The maximum size of a message in bytes, and of all its attachments together.
  package var messageLimit: Int
  /// The maximum number of attachments of a message.
  package var attachmentLimit: Int
  /// A file with trusted certificates; `nil` for those of the system.
  package var certificateFile: String?

  /// Creates a configuration.
  package init(
    url: URL, path: String = "/socket.io/", namespace: String = "/",
    auth: [String: SendableValue] = [:], secretAuth: [String: SecureString] = [:],
    headers: HTTPHeaders = HTTPHeaders(), transports: SocketIOTransports = .webSocket,
    openTimeout: Duration = .seconds(10), reconnection: ReconnectionPolicy = .socketIO,
    messageLimit: Int = 1 << 20, attachmentLimit: Int = 16, certificateFile: String? = nil
  ) {
    self.url = url
    self.path = path
    self.namespace = namespace
    self.auth = auth
    self.secretAuth = secretAuth
    self.headers = headers
    self.transports = transports
    self.openTimeout = openTimeout
    self.reconnection = reconnection
    self.messageLimit = messageLimit
    self.attachmentLimit = attachmentLimit
    self.certificateFile = certificateFile
  }

  /// The address for a transport.
  func address(transport: String, sid: String?, scheme: (plain: String, secure: String)) throws
    -> URL
  {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw HTTPFailure.invalidRequest("The address is not valid.")
    }
    switch parts.scheme?.lowercased() {
    case "ws", "http": parts.scheme = scheme.plain
    case "wss", "https": parts.scheme = scheme.secure
    default:
      throw HTTPFailure.invalidRequest(
        "The address of a Socket.IO server must begin with ws://, wss://, http:// or https://.")
    }
    parts.path = path.hasPrefix("/") ? path : "/" + path
    var query = parts.queryItems ?? []
    query += [
      URLQueryItem(name: "EIO", value: "4"), URLQueryItem(name: "transport", value: transport),
    ]
    if let sid { query.append(URLQueryItem(name: "sid", value: sid)) }
    parts.queryItems = query
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Socket.IO server is not valid.")
    }
    return address
  }

  /// The packet that joins a namespace. It may contain secrets.
  func greeting(_ namespace: String) -> SocketIOPacket {
    var members = namespace == self.namespace ? auth : [:]
    if namespace == self.namespace {
      for (name, secret) in secretAuth { members[name] = .string(secret.value) }
    }
    return SocketIOPacket(
      .connect, namespace: namespace, payload: members.isEmpty ? nil : .dictionary(members))
  }
}
