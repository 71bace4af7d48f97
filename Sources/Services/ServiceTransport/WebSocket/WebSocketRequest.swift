import Foundation
import ServiceCredentials

/// Where and how to open a WebSocket.
public struct WebSocketRequest: Sendable {
  /// Where: `ws` or `wss` (`http` and `https` mean the same), without user information and fragment.
  public var url: URL
  /// Further header fields.
  public var headers: HTTPHeaders
  /// The protocols that are offered, the preferred one first.
  public var subprotocols: [String]
  /// One more protocol to offer, which is a secret: some servers take a token that way.
  public var secretSubprotocol: SecretSubprotocol?
  /// How long opening may take, from the name look-up to the server's consent.
  public var openTimeout: Duration
  /// The most bytes of a message; a longer one closes the connection with code 1009.
  public var messageLimit: Int
  /// After how much silence we ask whether the server is still there; `nil` for never.
  public var pingInterval: Duration?
  /// How long the server may take to answer that, with anything, before it counts as lost.
  public var pingTimeout: Duration
  /// How long the server may take to agree that the connection ends.
  public var closeTimeout: Duration
  /// A file with the certificates that are trusted; `nil` for those of the system.
  public var certificateFile: String?

  /// A token that is offered as a protocol, behind a prefix.
  public struct SecretSubprotocol: Sendable {
    /// What goes before the secret.
    public var prefix: String
    /// The secret; only characters that a header's token may have.
    public var secret: SecureString

    /// A token that is offered as a protocol.
    public init(prefix: String, secret: SecureString) {
      self.prefix = prefix
      self.secret = secret
    }
  }

  /// A request.
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
