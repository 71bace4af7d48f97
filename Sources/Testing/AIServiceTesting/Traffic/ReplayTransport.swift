import AIServices
import Foundation
import SpeechConcurrency

/// A way to no server: it answers from a recording.
///
/// Each recorded exchange answers one request, the first one that has its method, path, query and body. Bodies of JSON
/// are the same whatever the order of their members, forms whatever their boundary; header fields and the host make
/// no difference, and what a secret was replaced with is the same as anything. Answers come in the pieces in which
/// they came when they were recorded, failures included. Where the task was cancelled then, nothing more comes until it
/// is cancelled, or a time-out of the request is over.
///
/// A recorded WebSocket is opened once, likewise. What the server sent over it comes as soon as all has been sent that the
/// client had sent before it; each message that is sent is the first recorded one like it that has not been sent yet. Ids
/// that the client makes up make no difference, and come back as they are now: whatever holds a UUID, and the numbers of
/// frames of Phoenix and of acknowledgements of Socket.IO. What a client sends by the clock, like a heartbeat, is sent when
/// its clock says so, which had better be this one's. A message that was not recorded breaks the connection.
///
/// ```swift
/// let replay = ReplayTransport(try TrafficRecording(contentsOf: file))
/// let provider = OpenAIProvider(
///   configuration: .init(), credentialManager: keys, environment: .init(transport: replay))
/// #expect(try await provider.reply(to: ChatRequest("Hello")).text == "Hi!")
/// #expect(replay.unasked.isEmpty)
/// ```
public final class ReplayTransport: HTTPTransport, WebSocketTransport {
  /// Which of the recorded exchanges, WebSockets and messages may be meant.
  public enum Order: Sendable {
    /// Of those that match the first that has not been asked for yet.
    case any
    /// The first that has not been asked for yet, and no other.
    case asRecorded
  }

  private struct State {
    var exchanges: ReplayCandidates
    var sockets: ReplayCandidates
    var opened: [ReplaySocket] = []
    var mismatches: [TrafficMismatch] = []
  }

  private let recording: TrafficRecording
  private let order: Order
  private let clock: ServiceClock?
  private let secrets: TrafficSecrets
  private let state: Guarded<State>
  private let changes = ChangeSignal()

  /// Answers from that recording.
  ///
  /// - Parameters:
  ///   - order: which of the recorded exchanges, WebSockets and messages may be meant.
  ///   - clock: the clock by which pieces and messages take the time that they took; `nil` to have all at once.
  ///   - secrets: what is taken out of a request before it is compared; the same as when it was recorded.
  public init(
    _ recording: TrafficRecording, order: Order = .any, clock: ServiceClock? = nil,
    hiding secrets: TrafficSecrets = .standard
  ) {
    self.recording = recording
    self.order = order
    self.clock = clock
    self.secrets = secrets
    state = Guarded(
      State(
        exchanges: ReplayCandidates(recording.exchanges.map(\.request), order: order),
        sockets: ReplayCandidates(recording.sockets.map(\.request), order: order)))
  }

  /// What was recorded and has not been asked for.
  public var unasked: [RecordedExchange] {
    state.withLock(\.exchanges).unused.map { recording.exchanges[$0] }
  }

  /// The recorded WebSockets that have not been opened.
  public var unopened: [RecordedSocket] {
    state.withLock(\.sockets).unused.map { recording.sockets[$0] }
  }

  /// What was sent over the WebSockets that have been opened, and has not been sent.
  public var unsent: [WebSocketMessage] { state.withLock(\.opened).flatMap(\.unsent) }

  /// What was asked for or sent and not recorded.
  public var mismatches: [TrafficMismatch] { state.withLock(\.mismatches) }

  /// Waits until the condition holds; it is looked at whenever something has been asked, sent or read. For tests that
  /// cancel what is under way.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func wait(until condition: @Sendable (ReplayTransport) -> Bool) async throws {
    while true {
      let version = changes.version
      if condition(self) { return }
      try await changes.wait(after: version)
    }
  }

  // MARK: Requests

  /// Answers the request from the recording.
  ///
  /// - Throws: `TrafficError.notRecorded`; the failure that was recorded; `CancellationError` when the task was
  ///   cancelled. Reading the body throws the same, and `TrafficError.endsHere`.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    _ = try request.checkedHost()
    let (_, masked) = masking(.init(request), request.headers.secrets)
    let exchange = recording.exchanges[try take(masked, from: \.exchanges)]
    let replayed = ReplayedAnswer(exchange, for: request, clock: clock)
    guard let answer = exchange.answer else { throw try await replayed.end(waitingFor: .firstByte) }
    try await replayed.wait(answer.after, for: .firstByte)
    return HTTPResponse(
      status: answer.status, headers: HTTPHeaders(answer.headers),
      body: HTTPBody(source: { _ in try await replayed.next() }))
  }

  // MARK: WebSockets

  /// Opens a recorded WebSocket.
  ///
  /// - Throws: `TrafficError.notRecorded`; the failure that was recorded; `CancellationError` when the task was
  ///   cancelled. Sending over it throws the same.
  public func open(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
    try Task.checkCancellation()
    _ = try request.checkedHost()
    let (mask, masked) = masking(.init(request), request.secrets)
    let timeout = request.openTimeout
    let index = try take(masked, from: \.sockets)
    let recorded = recording.sockets[index]
    guard let opening = recorded.opening else {
      try await wait(recorded.endAfter, atMost: timeout)
      switch recorded.end {
      case .refused(let refusal): throw refusal
      case .failed(let failure):
        throw failure.failure ?? .interrupted(failure.detail, beforeResponse: false)
      case .cancelled, .abandoned, .closed:
        try await (clock ?? .real).sleep(timeout)
        throw HTTPFailure.timedOut(.connect)
      }
    }
    try await wait(opening.after, atMost: timeout)
    let context = ReplaySocket.Context(
      order: order, clock: clock,
      report: { [weak self] mismatch in
        self?.state.withLock { $0.mismatches.append(mismatch) }
        self?.changes.notify()
      }, changed: { [changes] in changes.notify() })
    let socket = ReplaySocket(
      recorded, number: index + 1, messageLimit: request.messageLimit, mask: mask, in: context)
    state.withLock { $0.opened.append(socket) }
    changes.notify()
    return socket
  }

  private func wait(_ time: Duration, atMost timeout: Duration) async throws {
    guard let clock, time > .zero else { return }
    try await clock.sleep(min(time, timeout))
    if time > timeout { throw HTTPFailure.timedOut(.connect) }
  }

  // MARK: Finding

  private func masking(
    _ request: RecordedExchange.Request, _ carried: [SecureString]
  ) -> (TrafficMask, RecordedExchange.Request) {
    let mask = TrafficMask(
      secrets, knowing: carried + TrafficMask.values(in: request, secrets))
    return (mask, mask.masked(request))
  }

  private func take(
    _ request: RecordedExchange.Request, from candidates: WritableKeyPath<State, ReplayCandidates>
  ) throws(TrafficError) -> Int {
    defer { changes.notify() }
    return try state.withLock { state throws(TrafficError) in
      if let index = state[keyPath: candidates].take(request) { return index }
      let mismatch = state[keyPath: candidates].mismatch(request)
      state.mismatches.append(mismatch)
      throw .notRecorded(mismatch)
    }
  }
}
