import AIServices
import Foundation
import SpeechConcurrency

/// The implementation of `LLMService`: performs the actions of `LLMQueue`.
actor LLMCore {
  nonisolated let states = Broadcast<SocketState>()
  /// The state while the dialect is detected; later the keeper has it.
  private nonisolated let detectionState = Guarded(SocketState.idle)
  private nonisolated let keeper = Guarded<ConnectionKeeper?>(nil)

  private let configuration: LLMConfiguration
  private let clock: any Clock<Duration>
  private let makeWire: @Sendable () async throws -> any LLMWire

  private var connection: (wire: any LLMWire, keeper: ConnectionKeeper)?
  private var queue: LLMQueue
  private var requests: [String: Request] = [:]
  private var failedAttempts = 0
  private var detection: Task<Void, Never>?
  private let detectionEnd = ChangeSignal()
  /// The error of the last failed detection.
  private var detectionError: (any Error)?
  private var listeners: [Task<Void, Never>] = []
  private var outgoing: [(id: String, lane: Int)] = []
  private var isSending = false
  /// The number of times that the connection is being replaced by another one.
  private var replacements = 0

  private struct Request {
    var payload: SendableValue
    var answer: CheckedContinuation<SendableValue, any Error>
  }

  init(
    _ configuration: LLMConfiguration, clock: any Clock<Duration>,
    makeWire: @escaping @Sendable () async throws -> any LLMWire
  ) {
    self.configuration = configuration
    self.clock = clock
    self.makeWire = makeWire
    queue = LLMQueue(resendLimit: configuration.resendLimit)
  }

  deinit {
    detection?.cancel()
    for listener in listeners { listener.cancel() }
    connection?.keeper.cancel()
    states.finish()
  }

  nonisolated var state: SocketState {
    keeper.withLock { $0?.current } ?? detectionState.withLock { $0 }
  }

  /// Sends a request and waits for the answer of the service.
  func ask(_ members: [String: SendableValue]) async throws -> SendableValue {
    let id = "req_" + UUID().uuidString.lowercased()
    let payload = SendableValue.dictionary(members.merging(["request_id": .string(id)]) { $1 })
    return try await within(
      configuration.requestTimeout, on: clock, orThrow: LLMError.timeout
    ) { [self] in try await submit(payload, id: id) }
  }

  private func submit(_ payload: SendableValue, id: String) async throws -> SendableValue {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        requests[id] = Request(payload: payload, answer: continuation)
        begin()
        perform(queue.submit(id))
      }
    } onCancel: {
      // Runs after the request was added, because adding it does not leave this actor.
      Task { await self.abandon(id) }
    }
  }

  private func abandon(_ id: String) {
    guard resolve(id, .failure(CancellationError())) else { return }
    perform(queue.abandon(id))
  }

  @discardableResult
  private func resolve(_ id: String, _ result: Result<SendableValue, any Error>) -> Bool {
    guard let request = requests.removeValue(forKey: id) else { return false }
    request.answer.resume(with: result)
    return true
  }

  /// Starts to keep the connection open.
  func begin() {
    if let connection { return connection.keeper.start() }
    guard detection == nil else { return }
    detectionError = nil
    detecting(.connecting(attempt: 1))
    detection = Task { [weak self, makeWire] in
      do {
        let wire = try await makeWire()
        await self?.use(wire)
      } catch {
        await self?.detectionFailed(error)
      }
    }
  }

  /// Starts, and returns when the connection is established.
  ///
  /// - Throws: the error that ended all attempts; `LLMError.timeout`.
  func open() async throws {
    begin()
    try await within(
      configuration.requestTimeout, on: clock, orThrow: LLMError.timeout
    ) { [self] in try await foundKeeper().connect() }
  }

  /// The keeper of the connection, once its dialect is known. Several tasks may wait for it;
  /// cancelling one does not affect the others.
  private func foundKeeper() async throws -> ConnectionKeeper {
    try await detectionEnd.wait(until: { connection != nil || detection == nil })
    guard let connection else { throw detectionError ?? CancellationError() }
    return connection.keeper
  }

  /// Closes the connection. Unanswered requests fail.
  func stop() async {
    detection?.cancel()
    await detection?.value
    await closeConnection()
    closed(because: nil)
  }

  private func closeConnection() async {
    guard let connection else { return }
    await connection.keeper.stop { await connection.wire.farewell() }
  }

  private func use(_ wire: any LLMWire) {
    guard !Task.isCancelled else { return detectionFailed(CancellationError()) }
    let keeper = ConnectionKeeper(
      policy: configuration.reconnection ?? wire.reconnection, clock: clock,
      attempt: { try await wire.attempt($0) })
    connection = (wire, keeper)
    self.keeper.withLock { $0 = keeper }
    detectionEnded()
    queue.setLanes(wire.channelCount ?? 1, isOneAtATime: wire.channelCount != nil)
    let states = keeper.states.stream()
    listeners = [
      Task { [weak self, signals = wire.signals] in
        for await signal in signals { await self?.hear(signal) }
      },
      Task { [weak self] in
        for await state in states { await self?.follow(state) }
      },
    ]
    keeper.start()
  }

  private func detectionEnded() {
    detection = nil
    detectionEnd.notify()
  }

  private func detectionFailed(_ error: any Error) {
    detectionError = error
    detectionEnded()
    let isAsked = error is CancellationError
    detecting(.ended(reason: isAsked ? nil : ConnectionKeeper.text(of: error)))
    failWaiting(
      isAsked ? LLMError(.notConnected, "The connection was closed.") : LLMError(notSent: error))
  }

  private func hear(_ signal: LLMSignal) {
    switch signal {
    case .connected:
      failedAttempts = 0
      perform(queue.connected())
    case .disconnected(let reason): perform(queue.disconnected(reason))
    case .laneReady(let lane): perform(queue.laneReady(lane))
    case .laneLost(let lane, let reason, let returns):
      perform(queue.laneLost(lane, reason: reason, returns: returns))
    case .laneRefused(let lane, let error):
      failWaiting(error)
      perform(queue.laneLost(lane, reason: error.message, returns: false))
    case .answer(let body, let lane, let acknowledged):
      perform(queue.answer(body, lane: lane, acknowledging: acknowledged))
    }
  }

  private func follow(_ state: SocketState) {
    states.send(state)
    switch state {
    case .waiting(_, let reason):
      failedAttempts += 1
      if failedAttempts >= configuration.connectionAttempts {
        failWaiting(LLMError(.notConnected, reason))
      }
    case .ended:
      // Another task may have restarted the connection, and later requests wait for that. They also
      // wait for the connection that replaces this one.
      if replacements == 0, let keeper = connection?.keeper, case .ended = keeper.current {
        closed(because: keeper.finalError)
      }
    case .idle, .connecting, .connected: break
    }
  }

  private func closed(because error: (any Error)?) {
    perform(
      queue.disconnected(error.map { ConnectionKeeper.text(of: $0) } ?? "the connection was closed")
    )
    failWaiting(
      error.map { LLMError(notSent: $0) } ?? LLMError(.notConnected, "The connection was closed."))
  }

  private func failWaiting(_ error: LLMError) {
    for id in queue.takeWaiting() { resolve(id, .failure(error)) }
  }

  private func perform(_ actions: [LLMQueue.Action]) {
    for action in actions {
      switch action {
      case .send(let id, let lane): outgoing.append((id, lane))
      case .answer(let id, let body): resolve(id, .success(body))
      case .lost(let id, let reason):
        let error = LLMError(
          .connectionLost,
          "The connection was lost before the answer arrived. The service may have processed the "
            + "request.",
          details: reason)
        resolve(id, .failure(error))
      case .open(let lane): Task { await connection?.wire.open(lane: lane) }
      case .reset(let lane): Task { await reset(lane) }
      }
    }
    guard !outgoing.isEmpty, !isSending else { return }
    isSending = true
    Task { await flush() }
  }

  private func reset(_ lane: Int) async {
    guard let (wire, keeper) = connection else { return }
    if wire.channelCount != nil { return await wire.reset(lane: lane) }
    // The connection is the lane.
    replacements += 1
    await closeConnection()
    keeper.start()
    replacements -= 1
  }

  private func flush() async {
    defer { isSending = false }
    while !outgoing.isEmpty {
      let (id, lane) = outgoing.removeFirst()
      guard let wire = connection?.wire, let payload = requests[id]?.payload else { continue }
      // If that fails, the connection or the lane is lost, which a signal reports.
      try? await wire.send(payload, id: id, lane: lane)
    }
  }

  private func detecting(_ state: SocketState) {
    detectionState.withLock { $0 = state }
    states.send(state)
  }
}

extension LLMError {
  /// Translates an error of the connection for a request that was not sent.
  fileprivate init(notSent error: any Error) {
    let text = ConnectionKeeper.text(of: error)
    self =
      switch error {
      case let error as LLMError: error
      case HTTPFailure.offline: LLMError(.offline, text)
      case HTTPFailure.invalidRequest: LLMError(.invalidRequest, text)
      case is WebSocketHandshakeError, WireError.refused: LLMError(.refused, text)
      default: LLMError(.notConnected, text)
      }
  }
}
