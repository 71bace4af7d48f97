import AIServices
import Foundation
import SpeechConcurrency

/// A client of a Socket.IO server (Engine.IO revision 4, Socket.IO revision 5).
///
/// It keeps the connection open: after a loss it reconnects with a delay and joins the namespaces
/// again, and pending requests fail with `SocketIOError.connectionLost`. Nothing is sent a second
/// time automatically. Releasing the client closes its connection.
///
/// ```swift
/// let client = SocketIOClient(SocketIOConfiguration(url: address))
/// try await client.connect()
/// let reply = try await client.request("sum", [1, 2])
/// for await event in client.events() { … }
/// ```
package final class SocketIOClient: Sendable {
  let core: SocketIOCore
  private let keeper: ConnectionKeeper

  /// Creates a client without connecting it.
  ///
  /// - Parameters:
  ///   - http: the transport for long-polling, if configured.
  ///   - sockets: the transport for WebSockets; `nil` to use `http` if it supports them.
  ///   - clock: the clock for timeouts and delays.
  package init(
    _ configuration: SocketIOConfiguration, http: any HTTPTransport = CurlTransport.shared,
    sockets: (any WebSocketTransport)? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let core = SocketIOCore(
      configuration, http: http, sockets: sockets ?? http.sockets, clock: clock)
    self.core = core
    keeper = ConnectionKeeper(
      policy: configuration.reconnection, clock: clock, attempt: { try await core.attempt($0) })
  }

  deinit {
    keeper.cancel()
    core.events.finish()
    core.signals.finish()
  }

  /// The state of the connection.
  package var state: SocketState { keeper.current }

  /// All later changes of the state.
  package var states: AsyncStream<SocketState> { keeper.states.stream() }

  /// All later events of all joined namespaces.
  package func events() -> AsyncStream<SocketIOEvent> { core.events.stream() }

  /// Starts to keep the connection open, without waiting for it.
  package func start() { keeper.start() }

  /// Starts to keep the connection open, and returns when it is established.
  ///
  /// - Throws: `SocketIOError`, `HTTPFailure`, `WebSocketHandshakeError` or `RepeatedQuickFailure`
  ///   after a permanent failure or the last attempt of the policy. `CancellationError` when the
  ///   task was cancelled.
  package func connect() async throws {
    try await keeper.connect()
  }

  /// Closes the connection. It may be opened again.
  package func disconnect() async {
    await core.farewell()
    await keeper.stop()
  }

  /// The error that ended all attempts, if any.
  var finalError: (any Error)? { keeper.finalError }

  /// Joins another namespace, and joins it again after each reconnection.
  ///
  /// - Throws: `SocketIOError`.
  package func join(_ namespace: String) async throws { try await core.join(namespace) }

  /// Leaves a namespace.
  package func leave(_ namespace: String) async throws { try await core.leave(namespace) }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - attachments: bytes that arguments refer to by `SendableValue.attachment(_:)`.
  ///   - namespace: the namespace; `nil` for the configured one.
  /// - Throws: `SocketIOError`, `HTTPFailure`.
  package func emit(
    _ name: String, _ arguments: [SendableValue] = [], attachments: [Data] = [],
    namespace: String? = nil
  ) async throws {
    try await core.emit(
      name, arguments, attachments: attachments,
      namespace: namespace ?? core.configuration.namespace)
  }

  /// Sends an event and waits for its acknowledgement.
  ///
  /// - Throws: `SocketIOError`, `HTTPFailure`.
  package func request(
    _ name: String, _ arguments: [SendableValue] = [], attachments: [Data] = [],
    namespace: String? = nil, timeout: Duration = .seconds(10)
  ) async throws -> SocketIOReply {
    try await core.request(
      name, arguments, attachments: attachments,
      namespace: namespace ?? core.configuration.namespace, timeout: timeout)
  }

  /// Acknowledges an event, if the server expects that.
  package func acknowledge(
    _ event: SocketIOEvent, _ arguments: [SendableValue] = [], attachments: [Data] = []
  ) async throws {
    try await core.acknowledge(event, arguments, attachments: attachments)
  }
}
