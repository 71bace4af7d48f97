import AIServices
import Foundation
import SpeechConcurrency

/// A client of Phoenix channels (serializer version 2).
///
/// It keeps the connection open: after a loss it reconnects with a delay and joins the topics
/// again, and pending requests fail with `PhoenixError.connectionLost`. Nothing is sent a second
/// time automatically. A channel that crashes on the server is joined again; one that is closed is
/// not. Releasing the client closes its connection.
///
/// ```swift
/// let client = PhoenixClient(PhoenixConfiguration(url: address))
/// try await client.connect()
/// try await client.join("room:lobby")
/// try await client.push("room:lobby", "shout", ["text": "hello"])
/// for await event in client.events() { … }
/// ```
package final class PhoenixClient: Sendable {
  let core: PhoenixCore
  private let keeper: ConnectionKeeper

  /// Creates a client without connecting it.
  ///
  /// - Parameters:
  ///   - sockets: the transport for WebSockets.
  ///   - clock: the clock for timeouts, delays and the heartbeat.
  package init(
    _ configuration: PhoenixConfiguration, sockets: any WebSocketTransport = CurlTransport.shared,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let core = PhoenixCore(configuration, sockets: sockets, clock: clock)
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

  /// All later events of the channels.
  package func events() -> AsyncStream<PhoenixEvent> { core.events.stream() }

  /// Starts to keep the connection open, without waiting for it.
  package func start() { keeper.start() }

  /// Starts to keep the connection open, and returns when it is established.
  ///
  /// - Throws: `HTTPFailure`, `WebSocketHandshakeError` or `RepeatedQuickFailure` after a permanent
  ///   failure or the last attempt of the policy. `CancellationError` when the task was cancelled.
  package func connect() async throws {
    try await keeper.connect()
  }

  /// Closes the connection. A later start opens it and joins the topics again.
  package func disconnect() async {
    await core.farewell()
    await keeper.stop()
  }

  /// The error that ended all attempts, if any.
  var finalError: (any Error)? { keeper.finalError }

  /// Joins a topic, and joins it again after each reconnection.
  ///
  /// - Returns: the application's reply.
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  @discardableResult
  package func join(_ topic: String, _ parameters: SendableValue = [:]) async throws
    -> SendableValue
  {
    try await core.join(topic, parameters)
  }

  /// Leaves a topic.
  package func leave(_ topic: String) async throws { try await core.leave(topic) }

  /// Pushes an event. If the topic is being joined, the event is sent afterwards.
  ///
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  package func push(_ topic: String, _ event: String, _ payload: SendableValue = [:]) async throws {
    try await core.push(topic, event, payload)
  }

  /// Pushes an event and waits for the application's reply.
  ///
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  package func request(
    _ topic: String, _ event: String, _ payload: SendableValue = [:]
  ) async throws -> SendableValue {
    try await core.request(topic, event, payload)
  }
}
