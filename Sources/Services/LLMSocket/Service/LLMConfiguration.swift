import AIServices
import Foundation
import SpeechConcurrency

/// Where and how to reach the service behind `LLMService`.
public struct LLMConfiguration: Sendable {
  /// The language of the connection.
  public enum Dialect: Sendable, Hashable {
    /// Socket.IO, at `/socket.io/` of the host unless a path is given.
    case socketIO
    /// Phoenix channels, at the path of the address unless another is given.
    case phoenix
    /// Phoenix if the server answers a heartbeat of Phoenix at that address, otherwise Socket.IO. This costs
    /// one connection more at the beginning.
    case automatic
  }

  /// What the service is shown. It goes into a header, or into the message that opens a namespace; never
  /// into the address.
  public enum Credential: Sendable {
    /// Nothing.
    case none
    /// A token, the way the dialect has for it: the member `token` of the message that joins a namespace of
    /// Socket.IO, or the protocol header of a Phoenix socket.
    case token(SecureString)
    /// A token in the field `Authorization` of the request that opens the connection.
    case bearer(SecureString)
  }

  /// The service: `ws`, `wss`, `http` or `https`.
  public var url: URL
  /// Another path than the dialect's own.
  public var path: String?
  /// The language of the connection.
  public var dialect: Dialect
  /// What the service is shown.
  public var credential: Credential
  /// Further header fields.
  public var headers: HTTPHeaders
  /// How long a request may take, from the call to the answer.
  public var requestTimeout: Duration
  /// How often a request that was on its way when the connection was lost is sent again. The service may
  /// have worked on it already, and whoever pays for it then pays twice: hence 0 unless allowed.
  public var resendLimit: Int
  /// After how many attempts to connect, one after another, requests that wait for a connection fail.
  public var connectionAttempts: Int
  /// When a connection that was lost is opened again; `nil` for the dialect's own way.
  public var reconnection: ReconnectionPolicy?
  /// How many Phoenix channels work side by side.
  public var channelCount: Int
  /// How the packets of Socket.IO travel.
  public var transports: SocketIOTransports
  /// A file with the certificates that are trusted; `nil` for those of the system.
  public var certificateFile: String?

  /// A configuration.
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

  private var allHeaders: HTTPHeaders {
    var headers = headers
    if case .bearer(let secret) = credential {
      headers.setSecret("Authorization", secret, prefix: "Bearer ")
    }
    return headers
  }

  private var token: SecureString? {
    if case .token(let secret) = credential { secret } else { nil }
  }

  var socketIO: SocketIOConfiguration {
    SocketIOConfiguration(
      url: url, path: path ?? "/socket.io/", secretAuth: token.map { ["token": $0] } ?? [:],
      headers: allHeaders, transports: transports, reconnection: reconnection ?? .socketIO,
      certificateFile: certificateFile)
  }

  var phoenix: PhoenixConfiguration {
    var address = url
    if let path, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) {
      parts.path = path.hasPrefix("/") ? path : "/" + path
      address = parts.url ?? url
    }
    return PhoenixConfiguration(
      url: address, token: token, headers: allHeaders, reconnection: reconnection ?? .phoenix,
      certificateFile: certificateFile)
  }
}

extension LLMConfiguration.Dialect {
  /// Finds out which dialect the server speaks.
  ///
  /// - Throws: `HTTPFailure` when it cannot be asked; `WebSocketHandshakeError` when it does not let us in.
  static func detect(
    _ configuration: PhoenixConfiguration, sockets: any WebSocketTransport,
    clock: any Clock<Duration>
  ) async throws -> LLMConfiguration.Dialect {
    let socket: any WebSocketConnection
    do {
      socket = try await sockets.open(configuration.request())
    } catch let refusal as WebSocketHandshakeError where ![401, 403].contains(refusal.status) {
      // There is no such socket; Phoenix says 403 where there is one and we are not wanted.
      return .socketIO
    }
    let question = PhoenixFrame(ref: "1", topic: "phoenix", event: "heartbeat")
    let answer = try? await within(
      .seconds(3), on: clock, orThrow: PhoenixError.replyTimedOut
    ) {
      try await socket.send(.text(question.text))
      return try await socket.receive()
    }
    await socket.close()
    try Task.checkCancellation()
    guard case .text(let text)? = answer, let frame = try? PhoenixFrame(text),
      frame.event == "phx_reply", frame.ref == "1"
    else { return .socketIO }
    return .phoenix
  }
}
