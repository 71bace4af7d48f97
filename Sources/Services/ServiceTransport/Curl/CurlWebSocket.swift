import Foundation

/// A WebSocket over a connection of libcurl. Receiving pauses at about one mebibyte of unread
/// messages.
final class CurlWebSocket: WebSocketConnection {
  private let channel: WebSocketChannel
  private let loop: CurlLoop

  private init(_ channel: WebSocketChannel, on loop: CurlLoop) {
    self.channel = channel
    self.loop = loop
  }

  deinit {
    channel.abandon()
    loop.wake()
  }

  static func open(
    _ request: WebSocketRequest, over transport: CurlTransport
  ) async throws -> CurlWebSocket {
    let address = try WebSocketAddress(request.url)
    guard !transport.offline.isOn else { throw HTTPFailure.offline(address.host) }
    try Task.checkCancellation()
    let channel = WebSocketChannel(request, address: address)
    let loop = try transport.onLoop { $0.post(.serve(channel)) }
    let connection = CurlWebSocket(channel, on: loop)
    do {
      try await channel.waitUntilOpen()
    } catch {
      await connection.drop()
      throw error
    }
    return connection
  }

  var subprotocol: String? { channel.subprotocol }

  var close: WebSocketClose? { channel.close }

  func send(_ messages: [WebSocketMessage]) async throws {
    try await channel.put(
      messages.flatMap { $0.frames() }.map { $0.encoded(mask: .random(in: .min ... .max)) })
    loop.wake()
  }

  func receive() async throws -> WebSocketMessage? {
    try await channel.next { loop.wake() }
  }

  func close(_ close: WebSocketClose) async {
    channel.requestClose(close)
    loop.wake()
    do {
      try await channel.waitUntilReleased()
    } catch {
      // Cancelled, so without waiting for the server.
      await drop()
    }
  }

  func drop() async {
    channel.abandon()
    loop.wake()
    // In a separate task, because this one may be cancelled; the thread needs only a moment.
    await Task { [channel] in try? await channel.waitUntilReleased() }.value
  }
}

extension HTTPTransport {
  /// The WebSocket transport that belongs to this one: itself if it supports WebSockets, so that
  /// replayed or forbidden traffic includes them.
  package var sockets: any WebSocketTransport {
    self as? any WebSocketTransport ?? CurlTransport.shared
  }
}

extension CurlTransport: WebSocketTransport {
  /// Opens a connection, served by the thread that also runs the requests.
  ///
  /// - Throws: `HTTPFailure`; `WebSocketHandshakeError` if the server answers with something else;
  ///   `CancellationError` when the task was cancelled.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    try await CurlWebSocket.open(request, over: self)
  }
}
