import Foundation

/// A WebSocket over a connection of libcurl's.
///
/// One thread serves all connections of the program; nothing here occupies the threads that tasks share.
/// When about a mebibyte of messages waits unread, no more is taken from the socket.
final class CurlWebSocket: WebSocketConnection {
  private let channel: WebSocketChannel

  private init(_ channel: WebSocketChannel) {
    self.channel = channel
  }

  deinit {
    channel.abandon()
    WebSocketLoop.shared.wake()
  }

  static func open(_ request: WebSocketRequest, offline: OfflineMode) async throws -> CurlWebSocket
  {
    let address = try WebSocketAddress(request.url)
    guard !offline.isOn else { throw HTTPFailure.offline(address.host) }
    try Task.checkCancellation()
    let channel = WebSocketChannel(request, address: address)
    let connection = CurlWebSocket(channel)
    try WebSocketLoop.shared.serve(channel)
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
    WebSocketLoop.shared.wake()
  }

  func receive() async throws -> WebSocketMessage? {
    try await channel.next { WebSocketLoop.shared.wake() }
  }

  func close(_ close: WebSocketClose) async {
    channel.requestClose(close)
    WebSocketLoop.shared.wake()
    do {
      try await channel.waitUntilReleased()
    } catch {
      // Cancelled: without waiting for the server, then.
      await drop()
    }
  }

  func drop() async {
    channel.abandon()
    WebSocketLoop.shared.wake()
    // In a task of its own, because ours may be cancelled; the thread needs no more than a moment.
    await Task { [channel] in try? await channel.waitUntilReleased() }.value
  }
}
