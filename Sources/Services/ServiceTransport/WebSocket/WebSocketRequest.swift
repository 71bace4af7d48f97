import Foundation
import ServiceCredentials

/// The address and the options of a WebSocket to open.
public struct WebSocketRequest: Sendable {
  /// The address: `ws` or `wss` (`http` and `https` mean the same), without user information and
  /// fragment.
  public var url: URL
  /// Additional header fields of the handshake.
  public var headers: HTTPHeaders
  /// The offered protocols, in order of preference.
  public var subprotocols: [String]
  /// An additional offered protocol that contains a secret: some servers expect a token there.
  public var secretSubprotocol: SecretSubprotocol?
  /// The time to open the connection, from the name look-up to the server's answer.
  public var openTimeout: Duration
  /// The maximum size of a message in bytes; a larger one closes the connection with code 1009.
  public var messageLimit: Int
  /// The time without data after which the server is pinged; `nil` for never.
  public var pingInterval: Duration?
  /// The time to wait for any data after a ping before the connection counts as lost.
  public var pingTimeout: Duration
  /// The time to wait for the server's close frame.
  public var closeTimeout: Duration
  /// A file with trusted certificates; `nil` for those of the system.
  public var certificateFile: String?

  /// A token that is offered as a protocol, after a prefix.
  public struct SecretSubprotocol: Sendable {
    /// The text before the secret.
    public var prefix: String
    /// The secret; limited to characters that header tokens allow.
    public var secret: SecureString

    /// Creates the offer of a token.
    public init(prefix: String, secret: SecureString) {
      self.prefix = prefix
      self.secret = secret
    }
  }

  /// Creates a request with defaults for everything but the address.
  public init(
    _ url: URL, headers: HTTPHeaders = HTTPHeaders(), subprotocols: [String] = [],
    secretSubprotocol: SecretSubprotocol? = nil, openTimeout: Duration = .seconds(10),
    messageLimit: Int = 1 << 20, pingInterval: Duration? = nil,
    pingTimeout: Duration = .seconds(20), closeTimeout: Duration = .seconds(2),
    certificateFile: String? = nil
  ) {
    self.url = url
    self.headers = headers
    self.subprotocols = subprotocols
    self.secretSubprotocol = secretSubprotocol
    self.openTimeout = openTimeout
    self.messageLimit = messageLimit
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    self.closeTimeout = closeTimeout
    self.certificateFile = certificateFile
  }
}
