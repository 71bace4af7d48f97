import AIServices
import Foundation
import SpeechConcurrency

/// A client of Phoenix channels (serializer version 2).
///
/// It keeps the connection open: when it is lost, it is opened again after a while and the topics are joined
/// again; what was waiting for an answer fails with `PhoenixError.connectionLost`. Nothing is sent a second
/// time by itself. A channel that crashes on the server is joined again, one that is closed is not. A client
/// that nobody holds any more closes its connection.
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

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - sockets: what WebSockets go through.
  ///   - clock: what time-outs, delays and the heartbeat are measured with.
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

  /// How the connection is doing.
  package var state: SocketState { keeper.current }

  /// All changes of the state from now on.
  package var states: AsyncStream<SocketState> { keeper.states.stream() }

  /// All that happens in the channels from now on.
  package func events() -> AsyncStream<PhoenixEvent> { core.events.stream() }

  /// Begins to keep the connection open, without waiting for it.
  package func start() { keeper.start() }

  /// Begins to keep the connection open, and returns when it stands.
  ///
  /// - Throws: `HTTPFailure`, `WebSocketHandshakeError` or `RepeatedQuickFailure` when it was given up; as long as
  ///   there is hope, it goes on trying. `CancellationError` when the task was cancelled.
  package func connect() async throws {
    try await keeper.connect()
  }

  /// Closes the connection. It may be opened again, and then the topics are joined again.
  package func disconnect() async {
    await core.farewell()
    await keeper.stop()
  }

  /// Why the connection was given up, if it was.
  var finalError: (any Error)? { keeper.finalError }

  /// Joins a topic; it is joined again after the connection was lost.
  ///
  /// - Returns: what the application answered.
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  @discardableResult
  package func join(_ topic: String, _ parameters: SendableValue = [:]) async throws
    -> SendableValue
  {
    try await core.join(topic, parameters)
  }

  /// Leaves a topic.
  package func leave(_ topic: String) async throws { try await core.leave(topic) }

  /// Sends something into a channel. Where the topic is being joined, it goes out after that.
  ///
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  package func push(_ topic: String, _ event: String, _ payload: SendableValue = [:]) async throws {
    try await core.push(topic, event, payload)
  }

  /// Sends something into a channel and waits for the application's reply.
  ///
  /// - Throws: `PhoenixError`, `HTTPFailure`.
  package func request(
    _ topic: String, _ event: String, _ payload: SendableValue = [:]
  ) async throws -> SendableValue {
    try await core.request(topic, event, payload)
  }
}
