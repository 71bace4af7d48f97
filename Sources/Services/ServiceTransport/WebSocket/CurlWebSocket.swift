import Foundation

/// A WebSocket over a connection of libcurl.
///
/// One thread serves all connections of the program, and none of the threads that tasks share is
/// blocked. Receiving pauses at about one mebibyte of unread messages.
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
      // Cancelled, so without waiting for the server.
      await drop()
    }
  }

  func drop() async {
    channel.abandon()
    WebSocketLoop.shared.wake()
    // In a separate task, because this one may be cancelled; the thread needs only a moment.
    await Task { [channel] in try? await channel.waitUntilReleased() }.value
  }
}
