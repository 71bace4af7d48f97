import AIServices
import Foundation
import SpeechConcurrency

/// The implementation of `LLMService`: performs the actions of `LLMQueue`.
actor LLMCore {
  nonisolated let states = Broadcast<SocketState>()
  private nonisolated let currentState = Guarded(SocketState.idle)

  private let configuration: LLMConfiguration
  private let clock: any Clock<Duration>
  private let makeWire: @Sendable () async throws -> any LLMWire
  private let replies = PendingReplies<String, SendableValue>()

  private var wire: (any LLMWire)?
  private var queue: LLMQueue
  /// The requests made before the dialect was known.
  private var early: [String] = []
  private var payloads: [String: SendableValue] = [:]
  private var failedAttempts = 0
  private var detection: Task<Void, Never>?
  private let detectionEnd = ChangeSignal()
  /// The error of the last failed detection.
  private var detectionError: (any Error)?
  private var listeners: [Task<Void, Never>] = []
  private var outgoing: [(id: String, lane: Int)] = []
  private var isSending = false

  init(
    _ configuration: LLMConfiguration, clock: any Clock<Duration>,
    makeWire: @escaping @Sendable () async throws -> any LLMWire
  ) {
    self.configuration = configuration
    self.clock = clock
    self.makeWire = makeWire
    queue = LLMQueue(laneCount: 1, isOneAtATime: true, resendLimit: 0)
  }

  deinit {
    detection?.cancel()
    for listener in listeners { listener.cancel() }
    states.finish()
  }

  nonisolated var state: SocketState { currentState.withLock { $0 } }

  /// Sends a request and waits for the answer of the service.
  func ask(_ members: [String: SendableValue]) async throws -> SendableValue {
    let id = "req_" + UUID().uuidString.lowercased()
    var members = members
    members["request_id"] = .string(id)
    payloads[id] = .dictionary(members)
    replies.expect(id)
    defer {
      payloads[id] = nil
      replies.forget(id)
    }
    do {
      begin()
      if wire == nil { early.append(id) } else { perform(queue.submit(id)) }
      return try await within(
        configuration.requestTimeout, on: clock, orThrow: LLMError.timeout
      ) { [replies] in try await replies.wait(for: id) }
    } catch {
      early.removeAll { $0 == id }
      perform(queue.abandon(id))
      throw error
    }
  }

  /// Starts to keep the connection open.
  func begin() {
    if let wire { return wire.start() }
    guard detection == nil else { return }
    detectionError = nil
    become(.connecting(attempt: 1))
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
    ) { [self] in try await foundWire().connect() }
  }

  /// The connection, once its dialect is known. Several tasks may wait for it; cancelling one does
  /// not affect the others.
  private func foundWire() async throws -> any LLMWire {
    while wire == nil, detection != nil {
      try await detectionEnd.wait(after: detectionEnd.version)
    }
    guard let wire else { throw detectionError ?? CancellationError() }
    return wire
  }

  /// Closes the connection. Unanswered requests fail.
  func stop() async {
    detection?.cancel()
    await detection?.value
    await wire?.stop()
    closed(because: nil)
  }

  private func use(_ wire: any LLMWire) {
    guard !Task.isCancelled else { return detectionFailed(CancellationError()) }
    self.wire = wire
    detectionEnded()
    queue = LLMQueue(
      laneCount: wire.laneCount, isOneAtATime: wire.isOneAtATime,
      resendLimit: configuration.resendLimit)
    let signals = wire.signals
    let states = wire.states
    listeners = [
      Task { [weak self] in
        for await signal in signals { await self?.hear(signal) }
      },
      Task { [weak self] in
        for await state in states { await self?.follow(state) }
      },
    ]
    let ids = early
    early = []
    for id in ids { perform(queue.submit(id)) }
    wire.start()
  }

  private func detectionEnded() {
    detection = nil
    detectionEnd.notify()
  }

  private func detectionFailed(_ error: any Error) {
    detectionError = error
    detectionEnded()
    let isAsked = error is CancellationError
    become(.ended(reason: isAsked ? nil : ConnectionKeeper.text(of: error)))
    let ids = early
    early = []
    let failure =
      isAsked ? LLMError(.notConnected, "The connection was closed.") : LLMError(notSent: error)
    for id in ids { replies.resolve(id, .failure(failure)) }
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
      failWaiting(LLMError(notSent: error))
      perform(queue.laneLost(lane, reason: ConnectionKeeper.text(of: error), returns: false))
    case .answer(let body, let lane, let acknowledged):
      perform(queue.answer(body, lane: lane, acknowledging: acknowledged))
    }
  }

  private func follow(_ state: SocketState) {
    become(state)
    switch state {
    case .waiting(_, let reason):
      failedAttempts += 1
      if failedAttempts >= configuration.connectionAttempts {
        failWaiting(LLMError(.notConnected, reason))
      }
    case .ended:
      // Another task may have restarted the connection, and later requests wait for that.
      if let wire, case .ended = wire.state { closed(because: wire.finalError) }
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
    for id in queue.takeWaiting() { replies.resolve(id, .failure(error)) }
  }

  private func perform(_ actions: [LLMQueue.Action]) {
    for action in actions {
      switch action {
      case .send(let id, let lane): outgoing.append((id, lane))
      case .answer(let id, let body): replies.resolve(id, .success(body))
      case .lost(let id, let reason):
        let error = LLMError(
          .connectionLost,
          "The connection was lost before the answer arrived. The service may have processed the "
            + "request.",
          details: reason)
        replies.resolve(id, .failure(error))
      case .open(let lane): Task { [wire] in await wire?.open(lane: lane) }
      case .reset(let lane): Task { [wire] in await wire?.reset(lane: lane) }
      }
    }
    guard !outgoing.isEmpty, !isSending else { return }
    isSending = true
    Task { await flush() }
  }

  private func flush() async {
    defer { isSending = false }
    while !outgoing.isEmpty {
      let (id, lane) = outgoing.removeFirst()
      guard let wire, let payload = payloads[id] else { continue }
      do {
        try await wire.send(payload, id: id, lane: lane)
      } catch SocketIOError.tooLarge(let limit) {
        replies.resolve(
          id, .failure(LLMError(.invalidRequest, "The request is larger than \(limit) bytes.")))
      } catch {
        // The connection is closed, which a signal reports.
      }
    }
  }

  private nonisolated func become(_ state: SocketState) {
    currentState.withLock { $0 = state }
    states.send(state)
  }
}
