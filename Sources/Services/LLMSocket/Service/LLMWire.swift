import AIServices

/// An event of the connection to the service.
enum LLMSignal: Sendable {
  case connected
  case disconnected(reason: String)
  case laneReady(Int)
  case laneLost(Int, reason: String, returns: Bool)
  /// The service refused a lane.
  case laneRefused(Int, any Error)
  case answer(SendableValue, lane: Int, acknowledging: String?)
}

/// A connection to the service in one of its dialects.
protocol LLMWire: Sendable {
  /// The events of the connection, for one listener.
  var signals: AsyncStream<LLMSignal> { get }
  /// The state of the connection.
  var state: SocketState { get }
  /// All changes of the state.
  var states: AsyncStream<SocketState> { get }
  /// The error that ended all attempts, if any.
  var finalError: (any Error)? { get }
  /// The number of lanes.
  var laneCount: Int { get }
  /// True if the service processes one request of a lane at a time.
  var isOneAtATime: Bool { get }

  /// Starts to keep the connection open.
  func start()
  /// Starts, and returns when the connection is established.
  ///
  /// - Throws: the error that ended all attempts.
  func connect() async throws
  /// Closes the connection.
  func stop() async
  /// Opens a lane; a signal reports when it is ready.
  func open(lane: Int) async
  /// Abandons a lane and ignores its later messages.
  func reset(lane: Int) async
  /// Sends a request.
  func send(_ payload: SendableValue, id: String, lane: Int) async throws
}
