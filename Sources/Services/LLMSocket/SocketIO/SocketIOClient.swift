import AIServices
import Foundation
import SpeechConcurrency

/// A client of a Socket.IO server (Engine.IO revision 4, Socket.IO revision 5).
///
/// It keeps the connection open: when it is lost, it is opened again after a while, the namespaces are
/// joined again, and what was waiting for an answer fails with `SocketIOError.connectionLost`. Nothing is
/// sent a second time by itself. A client that nobody holds any more closes its connection.
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

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - http: what long-polling goes through, if the configuration wants any.
  ///   - sockets: what WebSockets go through; `nil` for the same, where it knows them.
  ///   - clock: what time-outs and delays are measured with.
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

  /// How the connection is doing.
  package var state: SocketState { keeper.current }

  /// All changes of the state from now on.
  package var states: AsyncStream<SocketState> { keeper.states.stream() }

  /// All events from now on, of all namespaces that are joined.
  package func events() -> AsyncStream<SocketIOEvent> { core.events.stream() }

  /// Begins to keep the connection open, without waiting for it.
  package func start() { keeper.start() }

  /// Begins to keep the connection open, and returns when it stands.
  ///
  /// - Throws: `SocketIOError`, `HTTPFailure`, `WebSocketHandshakeError` or `RepeatedQuickFailure` when it was given
  ///   up; as long as there is hope, it goes on trying. `CancellationError` when the task was cancelled.
  package func connect() async throws {
    try await keeper.connect()
  }

  /// Closes the connection. It may be opened again.
  package func disconnect() async {
    await core.farewell()
    await keeper.stop()
  }

  /// Why the connection was given up, if it was.
  var finalError: (any Error)? { keeper.finalError }

  /// Joins a further namespace; it is joined again after the connection was lost.
  ///
  /// - Throws: `SocketIOError`.
  package func join(_ namespace: String) async throws { try await core.join(namespace) }

  /// Leaves a namespace.
  package func leave(_ namespace: String) async throws { try await core.leave(namespace) }

  /// Sends an event.
  ///
  /// - Parameters:
  ///   - attachments: bytes that arguments refer to by `SendableValue.attachment(_:)`.
  ///   - namespace: where; `nil` for the first one.
  /// - Throws: `SocketIOError`, `HTTPFailure`.
  package func emit(
    _ name: String, _ arguments: [SendableValue] = [], attachments: [Data] = [],
    namespace: String? = nil
  ) async throws {
    try await core.emit(
      name, arguments, attachments: attachments,
      namespace: namespace ?? core.configuration.namespace)
  }

  /// Sends an event and waits for the server to acknowledge it.
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

  /// Acknowledges an event, if the server waits for that.
  package func acknowledge(
    _ event: SocketIOEvent, _ arguments: [SendableValue] = [], attachments: [Data] = []
  ) async throws {
    try await core.acknowledge(event, arguments, attachments: attachments)
  }
}
