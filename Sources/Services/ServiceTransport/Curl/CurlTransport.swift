import Foundation
import SpeechConcurrency
import SpeechText

/// The way to servers over libcurl.
///
/// All exchanges of a transport run on one thread of its own, started with the first request; the tasks
/// that wait for them hold no thread. Connections are kept for the next request to the same server. TLS
/// is always verified, proxies of the environment (`https_proxy`, `http_proxy`, `no_proxy`) are used but
/// for this machine itself, and HTTP/2 is spoken where a server offers it over TLS.
///
/// Who reads a body slowly slows the server down: about 64 KiB of it wait in memory, and the idle time-out
/// stands still meanwhile.
///
/// ```swift
/// let response = try await CurlTransport.shared.send(HTTPRequest(.get, address))
/// for try await piece in response.body { … }
/// ```
public final class CurlTransport: HTTPTransport {
  /// The one that programs share.
  public static let shared = CurlTransport()

  let offline: OfflineMode
  private let options: CurlOptions
  private let loop = Guarded<CurlLoop?>(nil)

  /// A transport with connections of its own.
  ///
  /// - Parameters:
  ///   - offline: the switch that forbids all connections.
  ///   - certificateFile: the certificates of authorities (PEM) that are trusted in the place of the
  ///     system's, for servers with a private one.
  ///   - userAgent: what is told to servers when a request does not say it itself.
  ///   - transfersAtOnce: the most exchanges that are under way at once; further ones wait in order, at
  ///     most for their total time-out.
  ///   - connectionLifetime: for how long a connection that nothing uses is kept.
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
  /// - Returns: the response as soon as its head is there. Letting go of the body closes the connection.
  /// - Throws: `HTTPFailure`; `CancellationError` when the task was cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let host = try request.checkedHost()
    if offline.isOn { throw HTTPFailure.offline(host) }
    let body = CurlBody()
    let head = try await body.exchange.head { () throws(HTTPFailure) in
      try start(request, host: host, body.exchange)
    }
    return HTTPResponse(
      status: head.status, headers: head.headers,
      body: HTTPBody(source: { try await body.next(isolation: $0) }))
  }

  private func start(
    _ request: HTTPRequest, host: String, _ exchange: CurlExchange
  ) throws(HTTPFailure) {
    try loop.withLock { loop throws(HTTPFailure) in
      if let loop, loop.start(request, host: host, exchange) { return }
      let fresh = try CurlLoop(options)
      _ = fresh.start(request, host: host, exchange)
      try fresh.launch()
      loop = fresh
    }
  }
}

/// The body of a response. The exchange is abandoned when nobody holds it any more.
private final class CurlBody: Sendable {
  let exchange = CurlExchange()

  deinit {
    exchange.abandon()
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    try await exchange.nextPiece(isolation: actor)
  }
}
