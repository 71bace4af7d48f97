import Foundation
import SpeechConcurrency
import SpeechText

/// An HTTP and WebSocket transport over libcurl.
///
/// All exchanges and WebSockets of a transport run on one thread, which starts with the first of
/// them; waiting tasks block no thread. Connections are kept for later requests to the same server.
/// TLS is always verified, proxies of the environment (`https_proxy`, `http_proxy`, `no_proxy`) are
/// used except for this machine, and HTTP/2 is used if a server offers it over TLS.
///
/// Slow reading of a body slows the server down: about 64 KiB wait in memory, and the idle timeout
/// is suspended meanwhile.
///
/// ```swift
/// let response = try await CurlTransport.shared.send(HTTPRequest(.get, address))
/// for try await piece in response.body { … }
/// ```
public final class CurlTransport: HTTPTransport {
  /// The transport that the program shares.
  public static let shared = CurlTransport()

  let offline: OfflineMode
  private let options: CurlOptions
  private let loop = Guarded<CurlLoop?>(nil)

  /// Creates a transport with its own connections.
  ///
  /// - Parameters:
  ///   - offline: the switch that forbids all connections.
  ///   - certificateFile: the certificate authorities (PEM) that are trusted instead of the
  ///     system's, for servers with a private one.
  ///   - userAgent: the value of `User-Agent` for requests that do not set it.
  ///   - transfersAtOnce: the maximum number of simultaneous exchanges; further ones wait in order,
  ///     at most for their total timeout.
  ///   - connectionLifetime: how long an idle connection is kept.
  public init(
    offline: OfflineMode = .shared, certificateFile: String? = nil, userAgent: String? = nil,
    transfersAtOnce: Int = 256, connectionLifetime: Duration = .seconds(60)
  ) {
    self.offline = offline
    options = CurlOptions(
      certificateFile: certificateFile,
      userAgent: userAgent ?? ToolkitVersion.userAgent,
      transfersAtOnce: max(1, transfersAtOnce), connectionLifetime: connectionLifetime)
  }

  deinit {
    loop.withLock { $0 }?.release()
  }

  /// Sends the request.
  ///
  /// - Returns: the response as soon as its head has arrived. Releasing the body closes the
  ///   connection.
  /// - Throws: `HTTPFailure`; `CancellationError` when the task was cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let host = try request.checkedHost()
    if offline.isOn { throw HTTPFailure.offline(host) }
    let body = CurlBody()
    let head = try await body.exchange.head { [self] () throws(HTTPFailure) in
      _ = try onLoop { $0.start(request, host: host, body.exchange) }
    }
    return HTTPResponse(
      status: head.status, headers: head.headers,
      body: HTTPBody(source: { try await body.next(isolation: $0) }))
  }

  /// Hands work to the thread, and starts the thread if it does not run.
  ///
  /// - Parameter post: hands over the work; returns false if the thread has ended.
  func onLoop(_ post: (CurlLoop) -> Bool) throws(HTTPFailure) -> CurlLoop {
    try loop.withLock { loop throws(HTTPFailure) in
      if let loop, post(loop) { return loop }
      let fresh = try CurlLoop(options)
      _ = post(fresh)
      try fresh.launch()
      loop = fresh
      return fresh
    }
  }
}

/// The body of a response. Releasing it abandons the exchange.
private final class CurlBody: Sendable {
  let exchange = CurlExchange()

  deinit {
    exchange.abandon()
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    try await exchange.nextPiece(isolation: actor)
  }
}
