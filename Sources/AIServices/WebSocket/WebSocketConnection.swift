import Foundation

/// A WebSocket to a server.
///
/// One thread serves all connections of the program; nothing here occupies the threads that tasks share.
/// Pings are answered by themselves. Who reads slowly slows the server down: when about a mebibyte of
/// messages waits unread, no more is taken from the socket; likewise `send` waits while the server does
/// not take what was sent. A connection that nobody holds any more is closed.
///
/// ```swift
/// let socket = try await WebSocketConnection.open(WebSocketRequest(address))
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages { … }
/// ```
public final class WebSocketConnection: Sendable {
  private let channel: WebSocketChannel

  private init(_ channel: WebSocketChannel) {
    self.channel = channel
  }

  deinit {
    channel.abandon()
    WebSocketLoop.shared.wake()
  }

  /// Opens a connection.
  ///
  /// - Throws: `HTTPFailure`; `WebSocketRefusal` when the server answers something else;
  ///   `CancellationError` when the task was cancelled.
  public static func open(
    _ request: WebSocketRequest, offline: OfflineMode = .shared
  ) async throws -> WebSocketConnection {
    let address = try WebSocketAddress(request.url)
    guard !offline.isOn else { throw HTTPFailure.offline(address.host) }
    try Task.checkCancellation()
    let channel = WebSocketChannel(request, address: address)
    let connection = WebSocketConnection(channel)
    try WebSocketLoop.shared.serve(channel)
    do {
      try await channel.waitUntilOpen()
    } catch {
      await connection.drop()
      throw error
    }
    return connection
  }

  /// The protocol that the server chose among those offered.
  public var subprotocol: String? { channel.subprotocol }

  /// How the connection was closed; `nil` while it is open and when it broke.
  public var close: WebSocketClose? { channel.close }

  /// Sends a message. Returns when it is on its way, which is before the server has it.
  ///
  /// - Throws: `HTTPFailure` when the connection is closed or broken; `CancellationError` when the task
  ///   was cancelled, and then nothing was sent.
  public func send(_ message: WebSocketMessage) async throws {
    try await send([message])
  }

  /// Sends messages that nobody else's may come between.
  func send(_ messages: [WebSocketMessage]) async throws {
    try await channel.put(
      messages.flatMap { $0.frames() }.map { $0.encoded(mask: .random(in: .min ... .max)) })
    WebSocketLoop.shared.wake()
  }

  /// The next message; `nil` when the connection was closed in order.
  ///
  /// - Throws: `HTTPFailure` when it broke: `interrupted` when the server went away, `timedOut(.idle)` when
  ///   it fell silent, `malformed` and `tooLarge` when it sent what it must not; `CancellationError` when
  ///   the task was cancelled, and then no message is lost.
  public func receive() async throws -> WebSocketMessage? {
    try await channel.next { WebSocketLoop.shared.wake() }
  }

  /// The messages until the connection ends, for one reader.
  public var messages: Messages { Messages(connection: self) }

  /// Closes the connection: what was sent before goes out, the server is told, and has a moment to agree.
  /// When this returns, the socket is closed.
  public func close(_ close: WebSocketClose = WebSocketClose()) async {
    channel.requestClose(close)
    WebSocketLoop.shared.wake()
    do {
      try await channel.waitUntilReleased()
    } catch {
      // Cancelled: without waiting for the server, then.
      await drop()
    }
  }

  /// Closes the socket without another word.
  func drop() async {
    channel.abandon()
    WebSocketLoop.shared.wake()
    // In a task of its own, because ours may be cancelled; the thread needs no more than a moment.
    await Task { [channel] in try? await channel.waitUntilReleased() }.value
  }

  /// The messages of a connection.
  public struct Messages: AsyncSequence, Sendable {
    /// What is sent.
    public typealias Element = WebSocketMessage
    let connection: WebSocketConnection

    /// Reads the messages.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }

    /// Reads the messages one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let connection: WebSocketConnection

      /// The next message; `nil` when the connection was closed in order.
      public mutating func next() async throws -> WebSocketMessage? {
        try await connection.receive()
      }
    }
  }
}
