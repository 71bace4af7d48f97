import AIServices
import Foundation

/// The address and the options of the service that `LLMService` uses.
public struct LLMConfiguration: Sendable {
  /// The protocol of the connection.
  public enum Dialect: Sendable, Hashable {
    /// Socket.IO, at `/socket.io/` of the host unless a path is given.
    case socketIO
    /// Phoenix channels, at the path of the address unless another is given.
    case phoenix
    /// Phoenix if the server answers a Phoenix heartbeat at that address, otherwise Socket.IO. This
    /// requires one additional connection at the beginning.
    case automatic
  }

  /// The credential for the service. It is sent in a header or in the message that joins a
  /// namespace, never in the address.
  public enum Credential: Sendable {
    /// No credential is sent.
    case none
    /// A token, sent as the dialect prescribes: in the member `token` of the message that joins a
    /// Socket.IO namespace, or in the protocol header of a Phoenix socket.
    case token(SecureString)
    /// A token in the `Authorization` header of the request that opens the connection.
    case bearer(SecureString)
  }

  /// The address of the service: `ws`, `wss`, `http` or `https`.
  public var url: URL
  /// A path other than the default of the dialect.
  public var path: String?
  /// The protocol of the connection.
  public var dialect: Dialect
  /// The credential for the service.
  public var credential: Credential
  /// Additional header fields of the connection.
  public var headers: HTTPHeaders
  /// The time from the call to the answer.
  public var requestTimeout: Duration
  /// The number of times that a request in flight is sent again after a loss of the connection. The
  /// service may have processed it already and may charge for it twice, so the default is 0.
  public var resendLimit: Int
  /// The number of consecutive failed attempts to connect after which waiting requests fail.
  public var connectionAttempts: Int
  /// The policy for reconnecting; `nil` for the default of the dialect.
  public var reconnection: ReconnectionPolicy?
  /// The number of Phoenix channels used in parallel.
  public var channelCount: Int
  /// The transport of Socket.IO packets.
  public var transports: SocketIOTransports
  /// A file with trusted certificates; `nil` for those of the system.
  public var certificateFile: String?

  /// Creates a configuration; only the address is required.
  public init(
    url: URL, path: String? = nil, dialect: Dialect = .automatic, credential: Credential = .none,
    headers: HTTPHeaders = HTTPHeaders(), requestTimeout: Duration = .seconds(120),
    resendLimit: Int = 0, connectionAttempts: Int = 3, reconnection: ReconnectionPolicy? = nil,
    channelCount: Int = 4, transports: SocketIOTransports = .webSocket,
    certificateFile: String? = nil
  ) {
    self.url = url
    self.path = path
    self.dialect = dialect
    self.credential = credential
    self.headers = headers
    self.requestTimeout = requestTimeout
    self.resendLimit = resendLimit
    self.connectionAttempts = connectionAttempts
    self.reconnection = reconnection
    self.channelCount = channelCount
    self.transports = transports
    self.certificateFile = certificateFile
  }

  /// The time to open a connection.
  static let openTimeout = Duration.seconds(10)
  /// The maximum size of a message in bytes.
  static let messageLimit = 1 << 20

  var allHeaders: HTTPHeaders {
    var headers = headers
    if case .bearer(let secret) = credential {
      headers.setSecret("Authorization", secret, prefix: "Bearer ")
    }
    return headers
  }

  var token: SecureString? {
    if case .token(let secret) = credential { secret } else { nil }
  }

  /// A request for a WebSocket to the service.
  func socketRequest(_ url: URL) -> WebSocketRequest {
    WebSocketRequest(
      url, headers: allHeaders, openTimeout: Self.openTimeout, messageLimit: Self.messageLimit,
      certificateFile: certificateFile)
  }
}

/// The ways in which packets of Socket.IO travel.
public enum SocketIOTransports: Sendable, Hashable {
  /// Over a WebSocket from the start.
  case webSocket
  /// Over HTTP requests at first, and then over a WebSocket if the server offers one and it works.
  case pollingWithUpgrade
  /// Over HTTP requests only.
  case polling
}
