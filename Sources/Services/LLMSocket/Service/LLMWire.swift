import AIServices

/// What happens between the client and the service.
enum LLMSignal: Sendable {
  case connected
  case disconnected(reason: String)
  case laneReady(Int)
  case laneLost(Int, reason: String, returns: Bool)
  /// The service does not let us in.
  case laneRefused(Int, any Error)
  case answer(SendableValue, lane: Int, acknowledging: String?)
}

/// The way to the service, in one of its dialects.
protocol LLMWire: Sendable {
  /// What happens, for one listener.
  var signals: AsyncStream<LLMSignal> { get }
  /// How the connection is doing.
  var state: SocketState { get }
  /// All changes of that.
  var states: AsyncStream<SocketState> { get }
  /// Why the connection was given up, if it was.
  var finalError: (any Error)? { get }
  /// How many lanes it has.
  var laneCount: Int { get }
  /// Whether the service works on one request of a lane at a time.
  var isOneAtATime: Bool { get }

  /// Begins to keep the connection open.
  func start()
  /// Begins, and returns when the connection stands.
  ///
  /// - Throws: why it was given up.
  func connect() async throws
  /// Closes the connection.
  func stop() async
  /// Opens a lane; a signal tells when it is ready.
  func open(lane: Int) async
  /// Gives a lane up; whatever still comes from it is not heard any more.
  func reset(lane: Int) async
  /// Sends a request.
  func send(_ payload: SendableValue, id: String, lane: Int) async throws
}
