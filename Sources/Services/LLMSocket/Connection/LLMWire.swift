import AIServices

/// An event of the connection to the service.
enum LLMSignal: Hashable, Sendable {
  case connected
  case disconnected(reason: String)
  case laneReady(Int)
  case laneLost(Int, reason: String, returns: Bool)
  /// The service refused a lane.
  case laneRefused(Int, LLMError)
  case answer(SendableValue, lane: Int, acknowledging: String?)
}

/// A connection to the service in one of its dialects.
///
/// It does not own the keeper that opens it, so an active connection may retain it.
protocol LLMWire: Actor {
  /// The events of the connection, for one listener.
  nonisolated var signals: AsyncStream<LLMSignal> { get }
  /// The number of channels, each of which is a lane and processes one request at a time; `nil` if
  /// the connection itself is the only lane.
  nonisolated var channelCount: Int? { get }
  /// The default policy for reconnecting.
  nonisolated var reconnection: ReconnectionPolicy { get }

  /// Opens the connection, and serves it until it ends.
  ///
  /// - Throws: the reason for the end.
  func attempt(_ progress: ConnectionKeeper.Progress) async throws
  /// Closes the connection, if there is one.
  func farewell() async
  /// Opens a channel; a signal reports when it is ready.
  func open(lane: Int) async
  /// Abandons a channel and ignores its later messages.
  func reset(lane: Int) async
  /// Sends a request.
  func send(_ payload: SendableValue, id: String, lane: Int) async throws
}
