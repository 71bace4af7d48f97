import AIServices
import Foundation

/// Where and how to reach a Socket.IO server.
package struct SocketIOConfiguration: Sendable {
  /// The server: `ws`, `wss`, `http` or `https`. A path in it has no meaning here.
  package var url: URL
  /// The path that the server listens at.
  package var path: String
  /// The namespace that is joined first.
  package var namespace: String
  /// What the server is told when the namespace is joined.
  package var auth: [String: SendableValue]
  /// Further members of that, which must not be seen.
  package var secretAuth: [String: SecureString]
  /// Further header fields.
  package var headers: HTTPHeaders
  /// How packets travel.
  package var transports: SocketIOTransports
  /// How long opening may take, and joining a namespace.
  package var openTimeout: Duration
  /// When a connection that was lost is opened again.
  package var reconnection: ReconnectionPolicy
  /// The most bytes of a message, and of all attachments of a message together.
  package var messageLimit: Int
  /// The most attachments of a message.
  package var attachmentLimit: Int
  /// A file with the certificates that are trusted; `nil` for those of the system.
  package var certificateFile: String?

  /// A configuration.
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

  /// The address for one of the ways to travel.
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
        "A Socket.IO server is at ws://, wss://, http:// or https://.")
    }
    parts.path = path.hasPrefix("/") ? path : "/" + path
    var query = parts.queryItems ?? []
    query += [
      URLQueryItem(name: "EIO", value: "4"), URLQueryItem(name: "transport", value: transport),
    ]
    if let sid { query.append(URLQueryItem(name: "sid", value: sid)) }
    parts.queryItems = query
    guard let address = parts.url else {
      throw HTTPFailure.invalidRequest("The path of the Socket.IO server cannot be used.")
    }
    return address
  }

  /// What is said when a namespace is joined. It may hold secrets.
  func greeting(_ namespace: String) -> SocketIOPacket {
    var members = namespace == self.namespace ? auth : [:]
    if namespace == self.namespace {
      for (name, secret) in secretAuth { members[name] = .string(secret.value) }
    }
    return SocketIOPacket(
      .connect, namespace: namespace, payload: members.isEmpty ? nil : .dictionary(members))
  }
}
